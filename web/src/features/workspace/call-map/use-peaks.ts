import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { recordings } from '#contract/endpoints/recordings.ts'
import { call } from '../../../shared/api/client.ts'
import type { MapWindow } from './map-window.ts'
import { listTiles, type PeakTile, type TileRange } from './peak-tiles.ts'

/** Returns the heights to draw a window of a recording of, the coarsest first; what has not arrived is missing. */
export function usePeaks(recordingId: string, window: MapWindow, durationSeconds: number): PeakTile[] {
  return useQueries({
    queries: listTiles(window, durationSeconds).map((tile) => ({
      queryKey: ['peaks', recordingId, tile],
      queryFn: () => loadTile(recordingId, tile),
      // The file of a recording never changes.
      staleTime: Infinity,
    })),
    combine: toTiles,
  })
}

async function loadTile(id: string, query: TileRange): Promise<PeakTile> {
  const { from, to, channels } = await call(recordings.peaks, { params: { id }, query })
  return { from, to, channels: channels.map(toBytes) }
}

/** Bytes are read one by one: `Uint8Array.fromBase64` is younger than the browsers that are supported. */
function toBytes(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

function toTiles(results: UseQueryResult<PeakTile>[]): PeakTile[] {
  return results.flatMap(({ data }) => data ?? [])
}
