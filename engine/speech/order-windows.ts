import type { PlannedWindow } from './channel-plan.ts'

/** Memory holds one model at a time: with several models, each transcribes this much of the recording before the next is loaded. */
const modelTurnMs = 5 * 60_000

/** Sorts windows by time, so that both speakers advance together and the partial text reads as a conversation. */
export function orderWindows(windows: PlannedWindow[]): PlannedWindow[] {
  const models = [...new Set(windows.map(({ model }) => model.id))]
  const turnOf = (planned: PlannedWindow) => (models.length > 1 ? Math.floor(startMs(planned) / modelTurnMs) : 0)
  return windows.toSorted(
    (a, b) =>
      turnOf(a) - turnOf(b) ||
      models.indexOf(a.model.id) - models.indexOf(b.model.id) ||
      startMs(a) - startMs(b) ||
      a.channel - b.channel,
  )
}

function startMs({ window }: PlannedWindow): number {
  return window.pieces[0]?.speechStartMs ?? 0
}
