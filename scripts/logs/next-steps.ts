import type { ErrorCode } from '#contract/errors.ts'
import type { JobHistory } from '#data/health/job-history.ts'

const again = 'Its owner can start it again in the app.'
const forModels = 'npm run awaz -- models list shows what is installed, npm run awaz -- doctor what is wrong with it.'

const byCode: Partial<Record<ErrorCode, string>> = {
  unreadable_audio: `The file is damaged or no recording: it has to be uploaded again from its source. ${again}`,
  unsupported_audio: 'ffmpeg does not know this format: convert the file to WAV, FLAC or MP3 and upload that.',
  no_audio: 'There is no sound in the file; nothing can be done here.',
  unsupported_language: `No model in use knows the language. ${forModels}`,
  unsupported_pair: `No model in use translates between the languages. ${forModels}`,
  model_unavailable: `The model is missing, damaged or does not fit into memory. ${forModels} ${again}`,
  not_found: 'What the job was about was deleted meanwhile; there is nothing to do.',
  disk_full: `Free room in DATA_DIR (npm run awaz -- doctor says how much is missing). ${again}`,
  unavailable: `The servers of SPEECH_SERVERS or TRANSLATION_SERVERS did not answer; look at them, then at page System. ${again}`,
}

/** By a code of the system in the cause, which says more than the code of the error. */
const byCause: Record<string, string> = {
  ENOENT: 'A file is missing, such as the sound of the recording: npm run awaz -- doctor names what DATA_DIR lacks.',
  EACCES: 'Awaz may not read or write a file: compare the owner of DATA_DIR with the user that Awaz runs as.',
  EIO: 'The disk failed: journalctl -k says more. Back up, and replace it.',
}

const lost =
  'An engine that died in its work was mostly killed for memory: journalctl -k --grep "out of memory". Use a smaller model or fewer ENGINE_PROCESSES.'
const unknown = `The log says more, with the stack: see the command below. npm run awaz -- log-level debug shows each step of the next attempt. ${again}`

const continues = {
  queued: 'It is tried again by itself as soon as an engine is free.',
  running: 'Its next attempt runs already.',
}

/** Returns what an administrator can do about a job, as sentences; none where it is in order. */
export function suggestNextSteps({
  state,
  attempts,
  error,
}: Pick<JobHistory, 'state' | 'attempts' | 'error'>): string[] {
  const last = attempts.at(-1)
  const code = error?.code ?? last?.code
  if (state === 'done' || state === 'cancelled' || (state !== 'failed' && last === undefined)) return []
  const wasKilled = attempts.some(({ outcome, cause }) => outcome === 'lost' || cause?.includes('SIGKILL'))
  const mark = last?.cause?.split(' ').at(-1) ?? ''
  const about = wasKilled ? lost : (byCause[mark] ?? (code && byCode[code]) ?? unknown)
  return [about, ...(wasKilled ? [unknown] : []), ...(state === 'failed' ? [] : [continues[state]])]
}
