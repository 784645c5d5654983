import Testing
@Suite struct PowerCutTests { @Test func x() {} }
