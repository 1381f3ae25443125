import { screen } from '@testing-library/react'
import type { ListedWord, NewWordList, WordList } from '#contract/word-lists.ts'
import { failure, fakeServer, someUser } from '../../../testing/fake-server.ts'
import { renderAt } from '../../../testing/render.tsx'
import { WordListPanel } from '../word-list-panel.tsx'

const caseId = '0123456789abcdef0123456a'
export const ofCase = `/api/cases/${caseId}/word-list`
export const qandahar: ListedWord = { word: 'Qandahar', heard_as: ['Kandahar', 'can the heart'] }
export const kunduz: ListedWord = { word: 'کندز', heard_as: [] }
/** The key that saves. */
export const saveKey = '{Control>}{Enter}{/Control}'

interface Shown {
  words?: ListedWord[]
  canEdit?: boolean
  /** Delays each change until it resolves. */
  held?: Promise<void>
  handlers?: Parameters<typeof fakeServer>[0]
}

/** Shows the word list of a case, on a fake server that stores it as the real one does. */
export async function showList({ words = [qandahar, kunduz], canEdit = true, held, handlers = {} }: Shown = {}) {
  let stored: WordList = { revision: 3, words }
  const calls = fakeServer({
    [`GET ${ofCase}`]: () => ({ body: stored }),
    [`PUT ${ofCase}`]: async ({ body }) => {
      await held
      const sent = body as NewWordList // what the editor sends
      if (sent.revision !== stored.revision) return failure(409, 'The list was changed meanwhile', { code: 'conflict' })
      stored = { ...sent, revision: sent.revision + 1 }
      return { body: stored }
    },
    ...handlers,
  })
  const { user, client } = renderAt('/cases', <WordListPanel caseId={caseId} canEdit={canEdit} />, someUser)
  await screen.findByText(/are transcribed with these names/)
  return {
    user,
    sent: () => calls.filter(({ key }) => key.startsWith('PUT')).map(({ body }) => (body as NewWordList).words),
    /** Changes the list as another member does. */
    storeElsewhere: (list: ListedWord[]) => (stored = { revision: stored.revision + 1, words: list }),
    reload: () => client.refetchQueries({ queryKey: ['word-list', caseId] }),
    cached: () => client.getQueryData<WordList>(['word-list', caseId])?.words,
  }
}

export const getAddField = () => screen.getByRole('textbox', { name: 'Add words' })
export const getChangeField = (word: string) => screen.getByRole('textbox', { name: `Change ${word}` })
export const editButton = (word: string) => screen.getByRole('button', { name: `Edit ${word}` })
