#include "textflag.h"

TEXT ·directCall(SB),NOSPLIT,$0-32
	MOVQ	nr+0(FP), AX
	MOVQ	a1+8(FP), DI
	MOVQ	a2+16(FP), SI
	SYSCALL
	MOVQ	AX, ret+24(FP)
	RET

TEXT ·tick(SB),NOSPLIT,$0-8
	RDTSC
	SHLQ	$32, DX
	ORQ	DX, AX
	MOVQ	AX, ret+0(FP)
	RET
