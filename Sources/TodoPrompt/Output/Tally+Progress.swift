import TodoKit

extension Tally {
  /// How much is done, such as `67% [######---] 6/9`; in ASCII, whose width no terminal doubts.
  ///
  /// Only what is all done shows 100 and a full bar.
  var progressText: String {
    let length = 9
    let percent = total == 0 ? 0 : (done * 200 + total) / (total * 2)
    let shown = done < total ? min(99, percent) : percent
    let filled = total == 0 ? 0 : done * length / total
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: length - filled)
    return "\(shown)% [\(bar)] \(done)/\(total)"
  }
}
