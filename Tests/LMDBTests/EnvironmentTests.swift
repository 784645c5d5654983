import LMDB
import Testing

@Suite struct EnvironmentTests {
}
