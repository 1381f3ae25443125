import { useElementSize } from '@mantine/hooks'
import { useId, useMemo } from 'react'
import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import IconArrowsHorizontal from '@tabler/icons-react/dist/esm/icons/IconArrowsHorizontal.mjs'
import IconMinus from '@tabler/icons-react/dist/esm/icons/IconMinus.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { ActionIcon, Tooltip } from '@mantine/core'
import IconWavesElectricity from '@tabler/icons-react/dist/esm/icons/IconWavesElectricity.mjs'
import { t } from '#contract/texts/t.ts'
import { recordings } from '#contract/endpoints/recordings.ts'
import type { Recording } from '#contract/entities/recording.ts'
import { useDesk } from '../state/desk-context.ts'
import { SeekWave } from '../player/seek-wave.tsx'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'
import { call } from '../../../shared/api/client.ts'
import { decodeBase64 } from '../../../shared/base64.ts'
import { atom, useAtom } from '../../../shared/jotai.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { usePlayer } from '../player/player-context.ts'
import classes from './call-map.module.css'
import { layoutMap } from './map-layout.ts'
import { findTalkOver, placeLines } from './map-lines.ts'
import { listMarks } from './map-marks.ts'
import { MapRuler } from './map-ruler.tsx'
import { type MapContent, MapSurface } from './map-surface.tsx'
import { canZoom, type MapWindow, contains } from './map-window.ts'
import { MarkList } from './mark-list.tsx'
import { type MapView, useMapView } from './use-map-view.ts'
import { useSpectrogram, type SpectrogramView } from './use-spectrogram.ts'
import { listTiles, type PeakTile, type TileRange } from './peak-tiles.ts'

interface SpectrogramSwitchProps {
  isOn: boolean
  onChange: (isOn: boolean) => void
}

/**
 * Returns the heights for drawing a window of a recording, coarsest first, leaving out what has not loaded yet. If the server cannot send
 * them, those of the overview are used.
 */
function usePeaks({ id, duration, peaks }: Recording, window: MapWindow): PeakTile[] {
  const { tiles, hasFailed } = useQueries({
    queries: listTiles(window, duration).map((tile) => ({
      queryKey: ['peaks', id, tile],
      queryFn: () => loadTile(id, tile),
      // The file of a recording never changes.
      staleTime: Infinity,
    })),
    combine: toTiles,
  })
  const overview = useMemo(() => toTile(peaks, duration), [peaks, duration])
  return useMemo(() => (hasFailed ? [overview, ...tiles] : tiles), [hasFailed, overview, tiles])
}

async function loadTile(id: string, query: TileRange): Promise<PeakTile> {
  const { from, to, channels } = await call(recordings.peaks, { params: { id }, query })
  return { from, to, channels: channels.map(decodeBase64) }
}

function toTiles(results: UseQueryResult<PeakTile>[]) {
  return { tiles: results.flatMap(({ data }) => data ?? []), hasFailed: results[0]?.isError === true }
}

/** Converts bars, amplitudes from 0 to 1, to heights as the server sends them: square roots scaled to a byte. */
function toTile(peaks: number[][], duration: number): PeakTile {
  const channels = peaks.map((lane) => Uint8Array.from(lane, (peak) => Math.round(255 * Math.sqrt(peak))))
  return { from: 0, to: duration, channels }
}

/** Whether the map shows frequencies instead of loudness; kept when another recording opens. */
const spectrogramAtom = atom(false)

/** The whole recording at a glance, below the overview of 50 bars: activity per channel, talk-over, hits and notes. */
export function CallMap() {
  const { recording } = useDesk()
  const mapId = useId()
  const { ref, width, height } = useElementSize<HTMLDivElement>()
  const view = useMapView(recording.duration)
  const laneCount = recording.is_stereo ? 2 : 1
  const layout = useMemo(() => layoutMap(width, height, laneCount), [width, height, laneCount])
  const [isSpectrogram, setIsSpectrogram] = useAtom(spectrogramAtom)
  const content = useMapContent(view, { laneCount, isSpectrogram })
  return (
    <div
      className={classes.map}
      role="group"
      aria-label={t('Call map')}
      data-lanes={laneCount}
      data-spectrogram={isSpectrogram}
    >
      <div className={classes.overview}>
        <SeekWave peaks={recording.peaks.slice(0, laneCount)} window={view.isZoomed ? view.window : undefined} />
      </div>
      <SpectrogramSwitch isOn={isSpectrogram} onChange={setIsSpectrogram} />
      {laneCount > 1 && <LaneLabels />}
      <div ref={ref} className={classes.surface}>
        <MapSurface id={mapId} view={view} layout={layout} content={content} />
        <MarkList marks={content.marks} />
        <SpectrogramNote obstacle={content.spectrogram?.obstacle ?? null} />
      </div>
      {canZoom(recording.duration) && <ZoomButtons view={view} />}
      <div className={classes.ruler}>
        <MapRuler view={view} width={width} mapId={mapId} />
      </div>
    </div>
  )
}

function useMapContent(
  view: MapView,
  { laneCount, isSpectrogram }: { laneCount: number; isSpectrogram: boolean },
): MapContent {
  const { recording, transcription, lines: rows, hits, reviewedHits, notes } = useDesk()
  const { describe } = useSpeakers()
  const tiles = usePeaks(recording, view.window)
  const spectrogram = useSpectrogram(recording, view.window, isSpectrogram)
  const lines = useMemo(
    () => placeLines(rows, { transcription, describe, laneCount }),
    [rows, transcription, describe, laneCount],
  )
  const talkOver = useMemo(() => findTalkOver(lines), [lines])
  const marks = useMemo(
    () => listMarks({ hits, reviewedHits, notes, talkOver, describe }),
    [hits, reviewedHits, notes, talkOver, describe],
  )
  return useMemo(() => ({ tiles, spectrogram, lines, talkOver, marks }), [tiles, spectrogram, lines, talkOver, marks])
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

/** Zoom buttons for people without a wheel, touchpad or keyboard. */
function ZoomButtons({ view }: { view: MapView }) {
  const { element } = usePlayer()

  function zoom(factor: number) {
    // Read here, so that the buttons do not render each time the player reports its time.
    const time = element.current?.currentTime ?? 0
    view.zoom(factor, contains(view.window, time) ? time : undefined)
  }

  return (
    <div className={classes.buttons}>
      <IconButton label={t('Zoom in')} size={28} onClick={() => zoom(1 / 2)}>
        <IconPlus size={16} stroke={1.5} />
      </IconButton>
      <IconButton label={t('Zoom out')} size={28} disabled={!view.isZoomed} onClick={() => zoom(2)}>
        <IconMinus size={16} stroke={1.5} />
      </IconButton>
      <IconButton
        className={classes.all}
        label={t('Show the whole recording')}
        size={28}
        disabled={!view.isZoomed}
        onClick={view.showAll}
      >
        <IconArrowsHorizontal size={16} stroke={1.5} />
      </IconButton>
    </div>
  )
}

/** Switches the map between loudness and frequencies. */
function SpectrogramSwitch({ isOn, onChange }: SpectrogramSwitchProps) {
  const label = t('Spectrogram')
  return (
    <Tooltip label={isOn ? t('Show the loudness again') : t('Show the frequencies (spectrogram)')}>
      <ActionIcon
        className={classes.switch}
        size={28}
        variant={isOn ? 'light' : 'subtle'}
        color={isOn ? undefined : 'gray'}
        aria-label={label}
        aria-pressed={isOn}
        onClick={() => onChange(!isOn)}
      >
        <IconWavesElectricity size={16} stroke={1.5} />
      </ActionIcon>
    </Tooltip>
  )
}

/** Says why no frequencies are shown. */
function SpectrogramNote({ obstacle }: Pick<SpectrogramView, 'obstacle'>) {
  const texts = {
    'too long': t('Zoom in to five minutes or less to see the spectrogram'),
    loading: t('The spectrogram is computed…'),
    failed: t('The spectrogram could not be computed. The recording may be damaged.'),
  }
  return (
    <div role="status" className={classes.note}>
      {obstacle && <span>{texts[obstacle]}</span>}
    </div>
  )
}
