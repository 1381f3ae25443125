import { z } from 'zod'
import { maxChannels } from './audio-channels.ts'
import type { Segment } from './transcription.ts'

/** A stretch of a recording in milliseconds from its start: where it begins, and where it ends. */
export const HeardSpan = z.tuple([z.int().nonnegative(), z.int().nonnegative()])
export type HeardSpan = z.infer<typeof HeardSpan>

/** Far more than the spans played between two requests. */
export const maxSpansPerRequest = 1_000

/** What one person heard of each channel, left first: non-adjacent spans in order of time. */
export const HeardChannels = z.array(z.array(HeardSpan)).max(maxChannels)
export type HeardChannels = z.infer<typeof HeardChannels>

/** A line counts as heard when this share of its time was heard. */
export const heardShare = 0.9

/** Spans this close are merged, because the playback position is read only a few times a second. */
const joinGapMs = 100

/** Returns spans in order of time, merging those that touch or nearly touch. */
export function joinSpans(spans: readonly HeardSpan[], gapMs = joinGapMs): HeardSpan[] {
  const joined: HeardSpan[] = []
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1)
    if (last && start <= last[1] + gapMs) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined
}

/** Returns what was heard of each channel with the spans added. */
export function addHeard(before: HeardChannels, added: HeardChannels): HeardChannels {
  const count = Math.max(before.length, added.length)
  return Array.from({ length: count }, (_, channel) =>
    joinSpans([...(before[channel] ?? []), ...(added[channel] ?? [])]),
  )
}

type TimedLine = Pick<Segment, 'start' | 'end' | 'channel'>

/** Returns a function that returns whether a line was heard: on its channel, or on any channel if it names none. */
export function createHeardCheck(heard: HeardChannels): (line: TimedLine) => boolean {
  const anywhere = joinSpans(heard.flat())
  return ({ start, end, channel }) => {
    const spans = channel === undefined ? anywhere : (heard[channel] ?? [])
    const [from, to] = [start * 1000, end * 1000]
    return to > from && coveredMs(spans, from, to) >= (to - from) * heardShare
  }
}

function coveredMs(spans: readonly HeardSpan[], from: number, to: number): number {
  let covered = 0
  for (let at = firstEndingAfter(spans, from); at < spans.length; at += 1) {
    const [start, end] = spans[at] ?? [to, to]
    if (start >= to) break
    covered += Math.min(end, to) - Math.max(start, from)
  }
  return covered
}

function firstEndingAfter(spans: readonly HeardSpan[], ms: number): number {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.[1] ?? 0) > ms) high = middle
    else low = middle + 1
  }
  return low
}
