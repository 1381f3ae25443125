import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { recordings } from '#contract/endpoints/recordings.ts'
import type { Recording } from '#contract/entities/recording.ts'
import { call } from '../../../shared/api/client.ts'
import { decodeBase64 } from '../../../shared/base64.ts'
import { spanOf, type MapWindow } from './map-window.ts'
import { listSpectrogramTiles, maxSpectrogramSeconds, type SpectrogramTile } from './spectrogram-tiles.ts'

/** Columns per part: when a part fills the window, about one per pixel of a wide screen. */
const columns = 2048

/** The loaded frequencies of a window. */
export interface SpectrogramView {
  tiles: SpectrogramTile[]
  /** Why nothing is drawn; null if something is. */
  obstacle: 'too long' | 'loading' | 'failed' | null
}

/** Returns the frequencies of a window of a recording; null if they are not wanted. */
export function useSpectrogram(
  { id, duration }: Pick<Recording, 'id' | 'duration'>,
  window: MapWindow,
  isWanted: boolean,
): SpectrogramView | null {
  const isTooLong = spanOf(window) > maxSpectrogramSeconds
  const view = useQueries({
    queries: (isWanted ? listSpectrogramTiles(window, duration) : []).map((part) => ({
      queryKey: ['spectrogram', id, part.from, part.to],
      queryFn: ({ signal }: { signal: AbortSignal }) => loadTile(id, part, signal),
      // The file of a recording never changes.
      staleTime: Infinity,
    })),
    combine: toView,
  })
  if (!isWanted) return null
  return isTooLong ? { tiles: [], obstacle: 'too long' } : view
}

async function loadTile(id: string, part: MapWindow, signal: AbortSignal): Promise<SpectrogramTile> {
  const { from, to, rows, max_hz, channels } = await call(recordings.spectrogram, {
    params: { id },
    query: { ...part, columns },
    signal,
  })
  return { from, to, columns, rows, maxHz: max_hz, channels: channels.map(decodeBase64) }
}

function toView(results: UseQueryResult<SpectrogramTile>[]): SpectrogramView {
  const tiles = results.flatMap(({ data }) => data ?? [])
  if (tiles.length > 0) return { tiles, obstacle: null }
  return { tiles, obstacle: results.some(({ isError }) => isError) ? 'failed' : 'loading' }
}
