import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Keyword, KeywordCategory, Keywords, maxKeywordsPerCategory } from '../keywords/keywords.ts'
import { Id, IdParams, Message } from '../scalars.ts'

/** Keyword records on the server by category: audio-workflow specification, sections 3 and 7. */
const KeywordRecord = z.object({
  id: Id,
  keyword: z.string(),
  /** Whether similar words match too. */
  sounds_like: z.boolean(),
})
const KeywordsByCategory = z.object({
  keywords: z.object({
    threats: z.array(KeywordRecord),
    sentiment: z.array(KeywordRecord),
    intent: z.array(KeywordRecord),
    custom: z.array(KeywordRecord),
  }),
})

export const keywords = {
  list: endpoint({
    method: 'GET',
    path: '/api/auth/keywords',
    access: 'user',
    summary: "The user's keywords by category",
    response: KeywordsByCategory,
    errors: [],
  }),
  replace: endpoint({
    method: 'POST',
    path: '/api/auth/keywords',
    access: 'user',
    summary:
      'Replace all keywords; the four arrays are the body itself or its field `keywords`. `sounds_like` lists those that similar words ' +
      'match too; without it keywords that stay keep the option',
    body: z.union([z.object({ keywords: Keywords }), Keywords.strict()]),
    response: KeywordsByCategory,
    limit: { max: maxKeywordsPerCategory, error: 'conflict' },
    errors: ['conflict'],
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/auth/keywords/category/:category',
    access: 'user',
    summary: 'Add one keyword to a category',
    params: z.object({ category: KeywordCategory }),
    body: z.object({ keyword: Keyword, sounds_like: z.boolean().default(false) }),
    response: z.object({ keyword: KeywordRecord.extend({ category: KeywordCategory }) }),
    status: 201,
    limit: { max: maxKeywordsPerCategory, error: 'conflict' },
    errors: ['conflict'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/auth/keywords/:id',
    access: 'user',
    summary: 'Remove one keyword',
    params: IdParams,
    response: Message,
    errors: ['not_found'],
  }),
  clearCategory: endpoint({
    method: 'DELETE',
    path: '/api/auth/keywords/category/:category',
    access: 'user',
    summary: 'Remove all keywords of a category',
    params: z.object({ category: KeywordCategory }),
    response: Message,
    errors: [],
  }),
}
