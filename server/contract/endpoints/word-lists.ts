import { endpoint } from '../endpoint.ts'
import { IdParams } from '../scalars.ts'
import { NewWordList, WordList } from '../word-lists.ts'

/** Names, places and terms whose spelling transcriptions follow (docs/decisions/word-lists.md). */
export const wordLists = {
  own: endpoint({
    method: 'GET',
    path: '/api/auth/word-list',
    access: 'user',
    summary: "The user's words and names, with other spellings of each",
    response: WordList,
    errors: [],
  }),
  replaceOwn: endpoint({
    method: 'PUT',
    path: '/api/auth/word-list',
    access: 'user',
    summary:
      "Replace the user's words and names. `revision` is that of the list that was changed; 409 where somebody else has changed it since",
    body: NewWordList,
    response: WordList,
    errors: ['conflict'],
  }),
  ofCase: endpoint({
    method: 'GET',
    path: '/api/cases/:id/word-list',
    access: 'user',
    summary: 'The words and names of a case, for members',
    params: IdParams,
    response: WordList,
    errors: ['not_found', 'forbidden'],
  }),
  replaceOfCase: endpoint({
    method: 'PUT',
    path: '/api/cases/:id/word-list',
    access: 'user',
    summary:
      'Replace the words and names of a case (members with edit). `revision` is that of the list that was changed; 409 where somebody else ' +
      'has changed it since',
    params: IdParams,
    body: NewWordList,
    response: WordList,
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
}
