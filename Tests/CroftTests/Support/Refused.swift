/// What a test's own closure throws.
struct Refused: Error {}
