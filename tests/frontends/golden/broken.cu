// What the parser cannot read costs itself and nothing else.
__global__ void good(float* p) { p[threadIdx.x] = 1.0f; }

__global__ void half(float* p, int n)
{
    p[0] = 1;
    @ $ ] broken [ @;
    __syncthreads();
}

void host(float* p)
{
    good<<<1, 32>>>(p);
    TIMED
    half<<<2, 64>>>(p, 3);
    auto f = [=] __device__ (int i) { return i; };
}

@ ) )
void after(float* p) { good<<<3, 96>>>(p); }
