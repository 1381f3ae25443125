import { useQuery, useQueryClient } from '@tanstack/react-query'
import { keywords as endpoints } from '#contract/endpoints/keywords.ts'
import { Keywords, keywordCategories, noKeywords } from '#contract/keywords/keywords.ts'
import type { Response } from '#contract/endpoint.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../api/client.ts'
import { readAccessToken } from '../api/tokens.ts'
import { mergeKeywords } from './merge-keywords.ts'

interface KeywordState {
  keywords: Keywords
  /** Whether the server could not be reached, so that `keywords` is this browser's copy. */
  isOffline: boolean
}

/** Each user has a separate copy: several people may share a browser. */
function storageKey(userId: string): string {
  return `awaz_keywords:${userId}`
}

/** Key of the lists that the server had before the first change it did not receive; absent while it has everything. */
function baseKey(userId: string): string {
  return `${storageKey(userId)}:base`
}

function readLists(key: string): Keywords | undefined {
  try {
    return Keywords.safeParse(JSON.parse(localStorage.getItem(key) ?? 'null')).data
  } catch {
    return undefined
  }
}

/** Returns this browser's copy; empty lists if there is none or it cannot be read. */
function readLocal(userId: string): Keywords {
  return readLists(storageKey(userId)) ?? noKeywords()
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

function isSame(a: Keywords, b: Keywords): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

async function load(userId: string): Promise<KeywordState> {
  try {
    const server = fromRecords(await call(endpoints.list))
    const base = readLists(baseKey(userId))
    const keywords = base ? mergeKeywords({ base, local: readLocal(userId), server }) : server
    if (base) await call(endpoints.replace, { body: { keywords } })
    localStorage.removeItem(baseKey(userId))
    writeLocal(userId, keywords)
    return { keywords, isOffline: false }
  } catch {
    return { keywords: readLocal(userId), isOffline: true }
  }
}

/**
 * Returns the user's keywords: loaded once after sign-in; every change is stored here immediately and sent to the server; if the server
 * cannot be reached, the browser's copy is used (audio-workflow specification, section 4).
 */
export function useKeywords(userId: string) {
  const client = useQueryClient()
  const queryKey = ['keywords', userId]
  const { data, isPending } = useQuery({ queryKey, queryFn: () => load(userId), staleTime: Infinity, gcTime: Infinity })
  const state = data ?? { keywords: readLocal(userId), isOffline: false }

  /** Stores and sends the lists. Returns an error message, or undefined. */
  async function save(keywords: Keywords): Promise<string | undefined> {
    // Until the server has confirmed the change, a reload must not lose it.
    if (!readLists(baseKey(userId))) localStorage.setItem(baseKey(userId), JSON.stringify(state.keywords))
    writeLocal(userId, keywords)
    client.setQueryData<KeywordState>(queryKey, { keywords, isOffline: state.isOffline })
    if (!readAccessToken()) return t('Not authenticated')
    try {
      await call(endpoints.replace, { body: { keywords } })
      if (isSame(readLocal(userId), keywords)) localStorage.removeItem(baseKey(userId))
      client.setQueryData<KeywordState>(queryKey, { keywords, isOffline: false })
      return undefined
    } catch {
      client.setQueryData<KeywordState>(queryKey, { keywords, isOffline: true })
      return t('Failed to save keywords')
    }
  }
  return { ...state, isLoading: isPending, save }
}
