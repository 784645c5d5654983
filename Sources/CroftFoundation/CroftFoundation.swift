// The part of Foundation that needs no ICU, where it is a module of its own: a program that links no
// more of Foundation is smaller and starts sooner.
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
