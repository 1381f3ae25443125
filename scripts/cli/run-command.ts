import { AppError } from '#contract/app-error.ts'
import { ConfigError } from '#data/config.ts'
import { loadEnvFile } from '#data/env-file.ts'
import { withCommandName } from './command-name.ts'
import { interruptedStatus } from './interruptible.ts'

/**
 * Runs a command and sets the exit status of this process: the command's status, or 1 on an error. An error that the user can fix is
 * printed as a sentence with its help, a programming error with its stack. The settings file is read first, unless `readsSettings` is
 * false.
 */
export async function runCommand(
  command: () => Promise<number>,
  { readsSettings = true }: { readsSettings?: boolean } = {},
): Promise<void> {
  process.stdout.on('error', endWithoutReader)
  // After a terminal or SSH session has ended, printing progress must not keep a command from cleaning up.
  process.stderr.on('error', () => undefined)
  const status = await loadAndRun(command, readsSettings).catch(report)
  // A connection to a database that does not answer would keep the process alive for seconds.
  if (status === interruptedStatus) process.exit(status)
  process.exitCode = status
}

async function loadAndRun(command: () => Promise<number>, readsSettings: boolean): Promise<number> {
  if (readsSettings) loadEnvFile(process.env)
  return command()
}

/** `| head` closes the pipe once it has its lines: that is not a failure. */
function endWithoutReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
}

/** Makes writing to a closed standard output fail, for a command whose output is useless unless it is complete. */
export function requireCompleteOutput(): void {
  process.stdout.off('error', endWithoutReader)
}

function report(error: unknown): number {
  if (error instanceof AppError) console.error(withCommandName(describe(error)))
  else if (error instanceof ConfigError || isUsageError(error)) console.error(error.message)
  else console.error(error)
  return 1
}

/** Returns the message, its help, and one line per detail. */
function describe({ message, help, details = [] }: AppError): string {
  return [[message, help].filter(Boolean).join(' '), ...details.map((detail) => `  ${detail}`)].join('\n')
}

/** Whether the error was thrown by parseArgs of node:util, for example for an unknown option. */
function isUsageError(error: unknown): error is TypeError {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
