// cnicscan: parse -> validate -> run. Every command stands in Commands/, every exit status in BatchRun's ExitStatus.swift.

internal import BatchRun
internal import Foundation

exit(Invocation(arguments: Array(CommandLine.arguments.dropFirst())).perform().rawValue)
