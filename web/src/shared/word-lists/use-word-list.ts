import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { wordLists } from '#contract/endpoints/word-lists.ts'
import { t } from '#contract/texts/t.ts'
import type { ListedWord, NewWordList, WordList } from '#contract/word-lists.ts'
import { ApiError, messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { toastError } from '../toast.tsx'

/** The id of a case; null for the user's own list. */
type CaseId = string | null

/** Derives a list from the previous one. Applied again to the newest list if someone else has changed it in the meantime. */
export type WordListChange = (words: readonly ListedWord[]) => ListedWord[]

/** A user who loses this many races against others is notified. */
const maxAttempts = 4

/** Returns the words of the user or of a case, and a function that changes them; changes are sent one after the other. */
export function useWordList(caseId: CaseId) {
  const client = useQueryClient()
  const queryKey = ['word-list', caseId ?? 'own']
  const query = useQuery({ queryKey, queryFn: () => readList(caseId), retry: false })
  const change = useMutation({
    scope: { id: queryKey.join(' ') },
    mutationFn: async (make: WordListChange) => {
      const stored = await changeList(caseId, client.getQueryData<WordList>(queryKey), make)
      // A fetch in progress may return data older than what was stored.
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, stored)
    },
    onError: (error) => toastError(messageOf(error, t('The words could not be saved.'))),
  })
  return { ...query, change }
}

function readList(caseId: CaseId): Promise<WordList> {
  return caseId === null ? call(wordLists.own) : call(wordLists.ofCase, { params: { id: caseId } })
}

function replaceList(caseId: CaseId, body: NewWordList): Promise<WordList> {
  if (caseId === null) return call(wordLists.replaceOwn, { body })
  return call(wordLists.replaceOfCase, { params: { id: caseId }, body })
}

async function changeList(caseId: CaseId, known: WordList | undefined, make: WordListChange): Promise<WordList> {
  let list = known ?? (await readList(caseId))
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await replaceList(caseId, { revision: list.revision, words: make(list.words) })
    } catch (error) {
      const isOutdated = error instanceof ApiError && error.code === 'conflict'
      if (!isOutdated || attempt === maxAttempts) throw error
      list = await readList(caseId)
    }
  }
}
