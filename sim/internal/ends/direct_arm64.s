#include "textflag.h"

TEXT ·directCall(SB),NOSPLIT,$0-32
	MOVD	nr+0(FP), R8
	MOVD	a1+8(FP), R0
	MOVD	a2+16(FP), R1
	SVC
	MOVD	R0, ret+24(FP)
	RET

TEXT ·tick(SB),NOSPLIT,$0-8
	MRS	CNTVCT_EL0, R0
	MOVD	R0, ret+0(FP)
	RET
