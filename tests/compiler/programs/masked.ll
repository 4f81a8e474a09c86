; Masked accesses in the compiler's own language, so that they are there whatever the processor.
; @a and @b are watched by masked_main.c; lane masks are constants chosen per function, through an argument.

declare <8 x i64> @llvm.masked.load.v8i64.p0(ptr, i32, <8 x i1>, <8 x i64>)
declare void @llvm.masked.store.v8i64.p0(<8 x i64>, ptr, i32, <8 x i1>)
declare <8 x i64> @llvm.masked.gather.v8i64.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i64>)
declare void @llvm.masked.scatter.v8i64.v8p0(<8 x i64>, <8 x ptr>, i32, <8 x i1>)
declare <8 x i64> @llvm.masked.expandload.v8i64(ptr, <8 x i1>, <8 x i64>)
declare void @llvm.masked.compressstore.v8i64(<8 x i64>, ptr, <8 x i1>)

define void @masked_copy(ptr %to, ptr %from, i8 %bits) {
  %mask = bitcast i8 %bits to <8 x i1>
  %value = call <8 x i64> @llvm.masked.load.v8i64.p0(ptr %from, i32 8, <8 x i1> %mask, <8 x i64> zeroinitializer)
  call void @llvm.masked.store.v8i64.p0(<8 x i64> %value, ptr %to, i32 8, <8 x i1> %mask)
  ret void
}

define void @gather_scatter(ptr %to, ptr %from, i8 %bits) {
  %mask = bitcast i8 %bits to <8 x i1>
  %sources = getelementptr i64, ptr %from, <8 x i64> <i64 0, i64 8, i64 16, i64 24, i64 32, i64 40, i64 48, i64 56>
  %targets = getelementptr i64, ptr %to, <8 x i64> <i64 0, i64 8, i64 16, i64 24, i64 32, i64 40, i64 48, i64 56>
  %value = call <8 x i64> @llvm.masked.gather.v8i64.v8p0(<8 x ptr> %sources, i32 8, <8 x i1> %mask, <8 x i64> zeroinitializer)
  call void @llvm.masked.scatter.v8i64.v8p0(<8 x i64> %value, <8 x ptr> %targets, i32 8, <8 x i1> %mask)
  ret void
}

define void @pack(ptr %to, ptr %from, i8 %bits) {
  %mask = bitcast i8 %bits to <8 x i1>
  %value = call <8 x i64> @llvm.masked.expandload.v8i64(ptr %from, <8 x i1> %mask, <8 x i64> zeroinitializer)
  call void @llvm.masked.compressstore.v8i64(<8 x i64> %value, ptr %to, <8 x i1> %mask)
  ret void
}
