// cnicscan: parse -> validate -> run. Every command stands in Commands/, every exit status in BatchRun's ExitStatus.swift.

internal import BatchRun
internal import Foundation

Terminal.fillClosedStreams()
SingleThread.startAgainIfReading(CommandLine.arguments)
// A reader that goes away (`| head`) is an error of writing, not the end of this process in the middle of something.
signal(SIGPIPE, SIG_IGN)
exit(Invocation(arguments: Array(CommandLine.arguments.dropFirst())).perform().rawValue)
