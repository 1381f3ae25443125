import { findQuietestGap } from '#engine/audio/quiet-gap.ts'
import type { SpeechWindow, WindowPiece } from '#engine/audio/windows.ts'
import { assignWords } from './assign-words.ts'
import type { PlacedWord } from './assign-words.ts'
import type { HeardSegment } from './backend/speech-backend.ts'
import { meanConfidence } from './mean-confidence.ts'
import type { LineWord, TranscriptLine } from './transcript-line.ts'

/** A model's first or last word of a piece this near to the detected speech begins or ends with it: the detector is more exact. */
const snapMs = 700

/**
 * What was heard in a window as lines with their times in the recording. A line is a segment of the model's, cut where a turn begins and
 * kept inside the detected speech. What holds no letter or digit is left out.
 *
 * @param frames RMS of 20 ms frames of the channel: where a line ends and the next begins inside speech, both meet at the pause
 */
export function toLines(segments: HeardSegment[], window: SpeechWindow, frames: Float32Array): TranscriptLine[] {
  const groups = groupLines(assignWords(segments, window), window)
  const lines = groups.map((words, index) =>
    toLine(words, { before: groups[index - 1], after: groups[index + 1] }, window),
  )
  meetAtPauses(groups, lines, frames)
  return lines.filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
}

function groupLines(words: PlacedWord[], { pieces }: SpeechWindow): PlacedWord[][] {
  const groups: PlacedWord[][] = []
  for (const placed of words) {
    const previous = groups.at(-1)?.at(-1)
    const isNew =
      !previous ||
      previous.segment !== placed.segment ||
      pieces.slice(previous.piece + 1, placed.piece + 1).some(({ beginsTurn }) => beginsTurn)
    if (isNew) groups.push([placed])
    else groups.at(-1)?.push(placed)
  }
  return groups
}

interface Neighbours {
  before: PlacedWord[] | undefined
  after: PlacedWord[] | undefined
}

function toLine(placed: PlacedWord[], { before, after }: Neighbours, { pieces }: SpeechWindow): TranscriptLine {
  const words = placed.map(({ word, piece }) => toSourceWord(word, pieces[piece]))
  const [first, last] = [placed[0], placed.at(-1)]
  const [firstPiece, lastPiece] = [pieces[first?.piece ?? 0], pieces[last?.piece ?? 0]]
  let startMs = words[0]?.startMs ?? 0
  let endMs = words.at(-1)?.endMs ?? startMs
  const isFirstOfPiece = before?.at(-1)?.piece !== first?.piece
  const isLastOfPiece = after?.[0]?.piece !== last?.piece
  if (firstPiece && isFirstOfPiece && startMs - firstPiece.speechStartMs < snapMs) startMs = firstPiece.speechStartMs
  if (lastPiece && isLastOfPiece && lastPiece.speechEndMs - endMs < snapMs) endMs = lastPiece.speechEndMs
  endMs = Math.max(startMs, endMs)
  return { startMs, endMs, text: words.map(({ text }) => text).join(' '), confidence: meanConfidence(words), words }
}

function toSourceWord(
  { text, startMs, endMs, confidence }: PlacedWord['word'],
  piece: WindowPiece | undefined,
): LineWord {
  if (!piece) return { text, startMs, endMs, confidence }
  const shiftMs = piece.sourceStartMs - piece.windowStartMs
  const clamp = (ms: number) => Math.min(piece.speechEndMs, Math.max(piece.speechStartMs, ms + shiftMs))
  return { text, startMs: clamp(startMs), endMs: Math.max(clamp(startMs), clamp(endMs)), confidence }
}

/** Two lines that follow each other in one piece: the model's time between them is moved to the pause that is there. */
function meetAtPauses(groups: PlacedWord[][], lines: TranscriptLine[], frames: Float32Array): void {
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1]
    if (!next || groups[index]?.at(-1)?.piece !== groups[index + 1]?.[0]?.piece) continue
    const gap = findQuietestGap(frames, (line.endMs + next.startMs) / 2)
    if (gap.startMs > line.startMs && gap.startMs <= gap.endMs && gap.endMs < next.endMs) {
      line.endMs = gap.startMs
      next.startMs = gap.endMs
    }
  }
}
