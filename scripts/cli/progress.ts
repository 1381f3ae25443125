import { performance } from 'node:perf_hooks'

interface ProgressOptions {
  /** Where to draw: standard error, because results go to standard output. */
  stream: NodeJS.WriteStream
  now?: () => number
}

export interface Progress {
  /** Starts a stage such as "Transcribing" in place of the previous one. */
  begin(stage: string): void
  /** Shows `done` of `total`, and the latest text. */
  update(done: number, total: number, latest?: string): void
  /** Prints a sentence above the bar. */
  note(sentence: string): void
  /** Removes the bar. */
  end(): void
}

const barWidth = 24

/** Creates a progress bar with the time left; where the stream is not a terminal, plain lines, at most one per second. */
export function createProgress({ stream, now = () => performance.now() }: ProgressOptions): Progress {
  let stage = ''
  let startedAt = 0
  let lastLineAt = -Infinity

  function draw(text: string) {
    stream.write(`\r\u001B[2K${text}`)
  }

  return {
    begin(name) {
      stage = name
      startedAt = now()
      lastLineAt = -Infinity
      if (stream.isTTY) draw(`${stage}...`)
      else stream.write(`${stage}...\n`)
    },
    update(done, total, latest = '') {
      const share = total === 0 ? 1 : Math.min(1, done / total)
      if (stream.isTTY) {
        const filled = Math.round(share * barWidth)
        const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
        draw(
          `${stage} ${bar} ${done}/${total} ${timeLeft(now() - startedAt, share)} ${shorten(latest, stream.columns - 70)}`,
        )
        return
      }
      if (now() - lastLineAt < 1000 && done < total) return
      lastLineAt = now()
      stream.write(`${stage} ${done}/${total}\n`)
    },
    note(sentence) {
      stream.write(`${stream.isTTY ? '\r\u001B[2K' : ''}Note: ${sentence}\n`)
    },
    end() {
      if (stream.isTTY) draw('')
    },
  }
}

function timeLeft(elapsedMs: number, share: number): string {
  if (share === 0 || share === 1) return ''
  const seconds = Math.ceil((elapsedMs * (1 - share)) / share / 1000)
  return seconds < 60 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`
}

function shorten(text: string, width: number): string {
  if (width < 10) return ''
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}
