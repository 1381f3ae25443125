import { useComputedColorScheme } from '@mantine/core'
import { memo, useCallback, useEffect, useMemo, useRef, type KeyboardEvent } from 'react'
import { t } from '#contract/texts/t.ts'
import { westernDigits } from '#contract/western-digits.ts'
import { formatClock } from '../../../shared/format.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { usePlayer } from '../player/player-context.ts'
import { playerTimeAtom } from '../player/use-audio-player.ts'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { drawActivity } from './draw-activity.ts'
import { drawMarks } from './draw-marks.ts'
import { drawSpectrogram } from './draw-spectrogram.ts'
import { mapKeyAction } from './map-keys.ts'
import { MapLayer, type LayerPainter } from './map-layer.tsx'
import { laneAt, type MapLayout } from './map-layout.ts'
import { lineAt, type MapLine, type TalkOver } from './map-lines.ts'
import { marksNear, type MapMark } from './map-marks.ts'
import { MapPlayhead } from './map-playhead.tsx'
import classes from './map-surface.module.css'
import { MapTooltip } from './map-tooltip.tsx'
import { contains, spanOf, timeAt, type MapWindow } from './map-window.ts'
import type { PeakTile } from './peak-tiles.ts'
import { useMapPointer, type HoverPoint } from './use-map-pointer.ts'
import type { MapView } from './use-map-view.ts'
import { useMapWheel } from './use-map-wheel.ts'
import type { SpectrogramView } from './use-spectrogram.ts'

export interface MapContent {
  tiles: readonly PeakTile[]
  /** Null when loudness is shown. */
  spectrogram: SpectrogramView | null
  lines: readonly MapLine[]
  talkOver: readonly TalkOver[]
  marks: readonly MapMark[]
}

interface MapSurfaceProps {
  id: string
  view: MapView
  layout: MapLayout
  content: MapContent
}

/** Marks within this distance count as under the pointer. */
const markReachPixels = 6

/** The map itself: a slider over the recording. */
export function MapSurface({ id, view, layout, content }: MapSurfaceProps) {
  const player = usePlayer()
  const time = useAtomValue(playerTimeAtom)
  const surface = useRef<HTMLDivElement>(null)
  const { hover, handlers } = useMapPointer(view, player.seek)
  useMapWheel(surface, view)
  useFollowing(view, time)
  const valueText = useValueText(view, content.lines, time)

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const action = mapKeyAction(westernDigits(event.key), { view, time, seek: player.seek })
    if (!action) return
    event.preventDefault()
    action()
  }

  return (
    <div
      ref={surface}
      id={id}
      className={classes.surface}
      role="slider"
      tabIndex={0}
      aria-label={t('Position on the call map')}
      aria-valuemin={0}
      aria-valuemax={Math.round(view.durationSeconds)}
      aria-valuenow={Math.round(time)}
      aria-valuetext={valueText}
      onKeyDown={onKeyDown}
      {...handlers}
    >
      <MapLayers window={view.window} layout={layout} content={content} />
      <MapPlayhead window={view.window} width={layout.width} />
      {hover && <Hover point={hover} window={view.window} layout={layout} content={content} />}
    </div>
  )
}

/** Moves to the playback position when it leaves the window or jumps, unless the reader moved the map away from it. */
function useFollowing(view: MapView, time: number): void {
  const { playbackSpeed } = usePlayer()
  const previous = useRef(time)
  useEffect(() => {
    const [before, maxStep] = [previous.current, 1.5 * playbackSpeed]
    if (before === time) return
    previous.current = time
    const isJump = Math.abs(time - before) > maxStep
    if (view.isZoomed && (isJump || contains(view.window, before))) view.show(time)
  }, [view, time, playbackSpeed])
}

function useValueText({ durationSeconds }: MapView, lines: readonly MapLine[], time: number): string {
  const { describe } = useSpeakers()
  const spoken = useMemo(() => lineAt(lines, time), [lines, time])
  const segment = spoken?.line.segment
  const position = { time: formatClock(time), duration: formatClock(durationSeconds) }
  if (!segment) return t('{time} of {duration}', position)
  const { name } = describe(segment.speaker, segment.channel)
  const { text } = segment
  return name
    ? t('{time} of {duration}, {name}: {text}', { ...position, name, text })
    : t('{time} of {duration}, {text}', { ...position, text })
}

const noTiles: SpectrogramView['tiles'] = []

interface MapLayersProps {
  window: MapWindow
  layout: MapLayout
  content: MapContent
}

const MapLayers = memo(function MapLayers({ window, layout, content }: MapLayersProps) {
  const { tiles, spectrogram, lines, talkOver, marks } = content
  const levels = spectrogram?.tiles ?? noTiles
  const hasWave = levels.length === 0
  const activity = useCallback<LayerPainter>(
    (pen) => drawActivity(pen, { window, layout, tiles, lines, talkOver, hasWave }),
    [window, layout, tiles, lines, talkOver, hasWave],
  )
  const frequencies = useCallback<LayerPainter>(
    (pen) => drawSpectrogram(pen, { window, layout, tiles: levels }),
    [window, layout, levels],
  )
  const signs = useCallback<LayerPainter>(
    ({ context, palette, ratio }) => {
      context.scale(ratio, ratio)
      drawMarks(context, palette, { window, layout, marks })
    },
    [window, layout, marks],
  )
  const { width, height } = layout
  // Colors differ by color scheme, so a change of scheme creates new layers.
  const scheme = useComputedColorScheme()
  return (
    <>
      <MapLayer key={`activity ${scheme}`} width={width} height={height} draw={activity} />
      {!hasWave && <MapLayer key={`frequencies ${scheme}`} width={width} height={height} draw={frequencies} />}
      <MapLayer key={`signs ${scheme}`} width={width} height={height} draw={signs} />
    </>
  )
})

interface HoverProps extends MapLayersProps {
  point: HoverPoint
}

function Hover({ point, window, layout, content }: HoverProps) {
  const share = Math.min(1, Math.max(0, point.x / Math.max(1, layout.width)))
  const time = timeAt(window, share)
  const reach = (markReachPixels * spanOf(window)) / Math.max(1, layout.width)
  return (
    <>
      <span className={classes.hover} style={{ left: `${share * 100}%` }} aria-hidden />
      <MapTooltip
        time={time}
        share={share}
        line={lineAt(content.lines, time, laneAt(layout, point.y))}
        marks={marksNear(content.marks, time, reach).slice(0, 3)}
      />
    </>
  )
}
