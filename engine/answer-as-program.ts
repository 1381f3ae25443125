import { AppError } from '#contract/app-error.ts'

/**
 * Writes the result of a task, or the AppError that it throws, as one line of JSON and exits. The server, which started this process as
 * the leader of a group, holds its standard input open: when the server exits or cancels, the pipe closes, and the process and its ffmpeg
 * exit.
 */
export async function answerAsProgram(task: () => Promise<object>): Promise<void> {
  process.stdin.resume()
  process.stdin.on('end', endGroup)
  const result = await task().catch(describe)
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0))
}

function endGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL')
  } catch {
    process.exit(1)
  }
}

function describe(error: unknown) {
  if (!(error instanceof AppError)) throw error
  return { error: { code: error.code, message: error.message, help: error.help } }
}
