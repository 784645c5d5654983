// What libFuzzer calls; `Scripts/fuzz` builds it beside the decoders' file of the tests.

/// Runs one input; the corresponding C function is `LLVMFuzzerTestOneInput`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  FuzzedDecoders.run([UInt8](UnsafeBufferPointer(start: start, count: count)))
  return 0
}
