import { t } from '#contract/texts/t.ts'
import { spanOf } from './map-window.ts'
import type { MapView } from './use-map-view.ts'

/** The keys of the map, as listed in the desk's help. */
export const mapKeys = [
  { shown: '+ −', effect: t('Zoom in or out') },
  { shown: '0', effect: t('Show the whole recording') },
  { shown: 'Page Up, Page Down', effect: t('Forward or back by a quarter of what is shown') },
]

/** The step of the whole recording's slider. */
const maxStepSeconds = 5
const zoomStep = 2

interface MapKeyTarget {
  view: MapView
  time: number
  seek: (time: number) => void
}

/** Returns the action of a key on the map; undefined for other keys. Zooming keeps the playback position in place if visible. */
export function mapKeyAction(key: string, { view, time, seek }: MapKeyTarget): (() => void) | undefined {
  const { window, durationSeconds } = view
  const step = Math.min(maxStepSeconds, spanOf(window) / 20)
  const anchor = time >= window.from && time <= window.to ? time : undefined
  const actions: Record<string, () => void> = {
    ArrowLeft: () => seek(time - step),
    ArrowDown: () => seek(time - step),
    ArrowRight: () => seek(time + step),
    ArrowUp: () => seek(time + step),
    PageDown: () => seek(time - spanOf(window) / 4),
    PageUp: () => seek(time + spanOf(window) / 4),
    Home: () => seek(0),
    End: () => seek(durationSeconds),
    '+': () => view.zoom(1 / zoomStep, anchor),
    '=': () => view.zoom(1 / zoomStep, anchor),
    '-': () => view.zoom(zoomStep, anchor),
    '0': () => view.showAll(),
  }
  return actions[key]
}
