import { useQuery, useQueryClient } from '@tanstack/react-query'
import { keywords as endpoints } from '#contract/endpoints/keywords.ts'
import { Keywords, keywordCategories, noKeywords } from '#contract/keywords/keywords.ts'
import type { Response } from '#contract/endpoint.ts'
import { call } from '../api/client.ts'
import { readAccessToken } from '../api/tokens.ts'

interface KeywordState {
  keywords: Keywords
  /** Whether the server could not be reached, so that `keywords` is this browser's copy. */
  isOffline: boolean
}

/** Each user has a copy of their own: several people may share a browser. */
function storageKey(userId: string): string {
  return `awaz_keywords:${userId}`
}

/** Returns this browser's copy; empty lists when there is none or it cannot be read. */
function readLocal(userId: string): Keywords {
  try {
    const parsed = Keywords.safeParse(JSON.parse(localStorage.getItem(storageKey(userId)) ?? 'null'))
    return parsed.success ? parsed.data : noKeywords()
  } catch {
    return noKeywords()
  }
}

function writeLocal(userId: string, keywords: Keywords): void {
  localStorage.setItem(storageKey(userId), JSON.stringify(keywords))
}

function fromRecords({ keywords: grouped }: Response<typeof endpoints.list>): Keywords {
  const lists = noKeywords()
  for (const category of keywordCategories) lists[category] = grouped[category].map(({ keyword }) => keyword)
  const records = keywordCategories.flatMap((category) => grouped[category])
  return { ...lists, sounds_like: records.filter((record) => record.sounds_like).map(({ keyword }) => keyword) }
}

async function load(userId: string): Promise<KeywordState> {
  try {
    const keywords = fromRecords(await call(endpoints.list))
    writeLocal(userId, keywords)
    return { keywords, isOffline: false }
  } catch {
    return { keywords: readLocal(userId), isOffline: true }
  }
}

/**
 * The user's keywords: loaded once after sign-in; every change is stored here at once and sent to the server; without the server
 * the browser's copy is used (audio-workflow specification, section 4).
 */
export function useKeywords(userId: string) {
  const client = useQueryClient()
  const queryKey = ['keywords', userId]
  const { data, isPending } = useQuery({ queryKey, queryFn: () => load(userId), staleTime: Infinity, gcTime: Infinity })
  const state = data ?? { keywords: readLocal(userId), isOffline: false }

  /** Stores and sends the lists. Returns an error message, or undefined. */
  async function save(keywords: Keywords): Promise<string | undefined> {
    writeLocal(userId, keywords)
    client.setQueryData<KeywordState>(queryKey, { keywords, isOffline: state.isOffline })
    if (!readAccessToken()) return 'Not authenticated'
    try {
      await call(endpoints.replace, { body: { keywords } })
      client.setQueryData<KeywordState>(queryKey, { keywords, isOffline: false })
      return undefined
    } catch {
      client.setQueryData<KeywordState>(queryKey, { keywords, isOffline: true })
      return 'Failed to save keywords'
    }
  }
  return { ...state, isLoading: isPending, save }
}
