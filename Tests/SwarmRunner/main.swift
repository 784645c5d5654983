import Foundation
import Swarm

// The swarm as a process of its own: thresholds are set for all that a process does.
exit(Command.run(Array(CommandLine.arguments.dropFirst())))
