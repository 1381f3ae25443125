import { useElementSize } from '@mantine/hooks'
import { useId, useMemo } from 'react'
import { t } from '#contract/texts/t.ts'
import { useDesk } from '../desk/desk-context.ts'
import { SeekWave } from '../player/seek-wave.tsx'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'
import classes from './call-map.module.css'
import { layoutMap } from './map-layout.ts'
import { findTalkOver, placeLines } from './map-lines.ts'
import { listMarks } from './map-marks.ts'
import { MapRuler } from './map-ruler.tsx'
import { MapSurface, type MapContent } from './map-surface.tsx'
import { canZoom } from './map-window.ts'
import { MarkList } from './mark-list.tsx'
import { usePeaks } from './use-peaks.ts'
import { useMapView, type MapView } from './use-map-view.ts'
import { ZoomButtons } from './zoom-buttons.tsx'

/** The whole recording at a glance: activity of each channel, talk-over, hits and notes; below the overview of 50 bars. */
export function CallMap() {
  const { recording } = useDesk()
  const mapId = useId()
  const { ref, width, height } = useElementSize<HTMLDivElement>()
  const view = useMapView(recording.duration)
  const laneCount = recording.is_stereo ? 2 : 1
  const layout = useMemo(() => layoutMap(width, height, laneCount), [width, height, laneCount])
  const content = useMapContent(view, laneCount)
  return (
    <div className={classes.map} role="group" aria-label={t('Call map')} data-lanes={laneCount}>
      <div className={classes.overview}>
        <SeekWave peaks={recording.peaks.slice(0, laneCount)} window={view.isZoomed ? view.window : undefined} />
      </div>
      {laneCount > 1 && <LaneLabels />}
      <div ref={ref} className={classes.surface}>
        <MapSurface id={mapId} view={view} layout={layout} content={content} />
        <MarkList marks={content.marks} />
      </div>
      {canZoom(recording.duration) && <ZoomButtons view={view} />}
      <div className={classes.ruler}>
        <MapRuler view={view} width={width} mapId={mapId} />
      </div>
    </div>
  )
}

function useMapContent(view: MapView, laneCount: number): MapContent {
  const { recording, transcription, lines: rows, hits, reviewedHits, notes } = useDesk()
  const { describe } = useSpeakers()
  const tiles = usePeaks(recording, view.window)
  const lines = useMemo(
    () => placeLines(rows, { transcription, describe, laneCount }),
    [rows, transcription, describe, laneCount],
  )
  const talkOver = useMemo(() => findTalkOver(lines), [lines])
  const marks = useMemo(
    () => listMarks({ hits, reviewedHits, notes, talkOver, describe }),
    [hits, reviewedHits, notes, talkOver, describe],
  )
  return useMemo(() => ({ tiles, lines, talkOver, marks }), [tiles, lines, talkOver, marks])
}

function LaneLabels() {
  const { describe } = useSpeakers()
  return (
    <div className={classes.labels}>
      {[0, 1].map((channel) => (
        <SpeakerChip key={channel} speaker={describe(undefined, channel)} />
      ))}
    </div>
  )
}
