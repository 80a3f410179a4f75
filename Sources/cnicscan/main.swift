// cnicscan: parse -> validate -> run. Every command stands in Commands/, every exit status in ExitStatus.swift.

internal import Foundation

exit(Invocation(arguments: Array(CommandLine.arguments.dropFirst())).perform().rawValue)
