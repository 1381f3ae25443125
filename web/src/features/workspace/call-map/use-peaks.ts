import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { recordings } from '#contract/endpoints/recordings.ts'
import type { Recording } from '#contract/entities/recording.ts'
import { call } from '../../../shared/api/client.ts'
import type { MapWindow } from './map-window.ts'
import { listTiles, type PeakTile, type TileRange } from './peak-tiles.ts'

/**
 * Returns the heights to draw a window of a recording with, the coarsest first; what has not arrived is missing. Where the server cannot send
 * them, those of the overview remain.
 */
export function usePeaks({ id, duration, peaks }: Recording, window: MapWindow): PeakTile[] {
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
  return { from, to, channels: channels.map(toBytes) }
}

/** Bytes are read one by one: `Uint8Array.fromBase64` is younger than the browsers that are supported. */
function toBytes(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

function toTiles(results: UseQueryResult<PeakTile>[]) {
  return { tiles: results.flatMap(({ data }) => data ?? []), hasFailed: results[0]?.isError === true }
}

/** Bars are amplitudes from 0 to 1; the server's heights are their roots in a byte. */
function toTile(peaks: number[][], duration: number): PeakTile {
  const channels = peaks.map((lane) => Uint8Array.from(lane, (peak) => Math.round(255 * Math.sqrt(peak))))
  return { from: 0, to: duration, channels }
}
