// What libFuzzer calls; `Scripts/fuzz` builds it beside the decoders' files of the tests.

/// Runs one input; the corresponding C function is `LLVMFuzzerTestOneInput`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = [UInt8](UnsafeBufferPointer(start: start, count: count))
  // The first byte chooses the decoder: of a file, or of what a server sends.
  if let choice = input.first, choice >= FuzzedDecoders.count {
    FuzzedServerBytes.run(choice - FuzzedDecoders.count, Array(input.dropFirst()))
  } else {
    FuzzedDecoders.run(input)
  }
  return 0
}
