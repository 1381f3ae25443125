// A separate process that measures one uploaded file for the server and writes the result as one line of JSON:
//   node engine/probe-main.ts FILE MAX_DURATION_MS
// Decoding an untrusted file and counting its samples stays out of the server's process and its event loop.
import { constants, setPriority } from 'node:os'
import { answerAsProgram } from './answer-as-program.ts'
import { measureAudio } from './audio/decode.ts'
import { downsamplePeaks, finePeaks } from './audio/waveform.ts'

const [sourcePath, maxDurationMs] = process.argv.slice(2)

const lowPriorityAfterMs = 2_000
/** Waveform bars, and peaks of a response, per channel (audio-workflow specification, section 2). */
const waveformBars = 50

async function probe() {
  if (!sourcePath || !maxDurationMs) throw new Error('usage: probe-main.ts FILE MAX_DURATION_MS')
  const decoded = await measureAudio(sourcePath, {
    maxDurationMs: Number(maxDurationMs),
    timeoutMs: 5 * 60_000,
    onStart: (pid) => setTimeout(lowerPriority, lowPriorityAfterMs, [pid, process.pid]).unref(),
  })
  const { binMs, channels } = finePeaks(decoded)
  return {
    durationMs: decoded.durationMs,
    channels: decoded.sourceChannelCount,
    isStereo: decoded.channelCount === 2 && !decoded.isDualMono,
    peaks: downsamplePeaks(decoded, waveformBars),
    waveform: { binMs, channels: channels.map((heights) => Buffer.from(heights).toString('base64')) },
  }
}

/** Lowers the priority of a long measurement below that of short ones. */
function lowerPriority(pids: number[]) {
  try {
    for (const pid of pids) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // ffmpeg has ended.
  }
}

await answerAsProgram(probe)
