import { findQuietestGap } from '#engine/audio/quiet-gap.ts'
import type { SpeechWindow, WindowPiece } from '#engine/audio/windows.ts'
import { assignWords, type PlacedWord } from './assign-words.ts'
import type { TranscribedSegment } from './backend/speech-backend.ts'
import { meanConfidence } from './mean-confidence.ts'
import type { LineWord, TranscriptLine } from './transcript-line.ts'

/** The first or last word of a piece snaps to the detected speech within this distance: the detector is more accurate than the model. */
const snapMs = 700

/**
 * Converts the segments of a window to lines with times in the recording. A line is a segment of the model, cut where a turn begins and
 * clipped to the detected speech. Lines without a letter or digit are dropped.
 *
 * @param frames RMS of 20 ms frames of the channel: two adjacent lines inside speech are aligned to the pause between them
 */
export function toLines(segments: TranscribedSegment[], window: SpeechWindow, frames: Float32Array): TranscriptLine[] {
  const groups = groupLines(assignWords(segments, window), window)
  const lines = groups.map((words, index) =>
    toLine(words, { before: groups[index - 1], after: groups[index + 1] }, window),
  )
  alignToPauses(groups, lines, frames)
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

function toSourceWord({ startMs, endMs, ...word }: PlacedWord['word'], piece: WindowPiece | undefined): LineWord {
  if (!piece) return { ...word, startMs, endMs }
  const shiftMs = piece.sourceStartMs - piece.windowStartMs
  const clamp = (ms: number) => Math.min(piece.speechEndMs, Math.max(piece.speechStartMs, ms + shiftMs))
  return { ...word, startMs: clamp(startMs), endMs: Math.max(clamp(startMs), clamp(endMs)) }
}

/** Moves the boundary between two adjacent lines of one piece to the pause next to it. */
function alignToPauses(groups: PlacedWord[][], lines: TranscriptLine[], frames: Float32Array): void {
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
