import type { PlannedWindow } from './channel-plan.ts'

/** With several models, of which memory holds one, each works on so much of the recording before the others catch up. */
const turnOfModelMs = 5 * 60_000

/** In order of time, so that both speakers advance together and the text so far reads as a conversation. */
export function orderWindows(windows: PlannedWindow[]): PlannedWindow[] {
  const models = [...new Set(windows.map(({ model }) => model.id))]
  const turnOf = (planned: PlannedWindow) => (models.length > 1 ? Math.floor(startMs(planned) / turnOfModelMs) : 0)
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
