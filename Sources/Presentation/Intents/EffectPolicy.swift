/// What becomes of work whose name is taken by work that still runs.
public enum EffectPolicy: Hashable, Sendable {
  /// It takes its place: the running work is stopped first. Searching as one types.
  case latest
  /// It is dropped. Saving, where a second tap means nothing.
  case first
}
