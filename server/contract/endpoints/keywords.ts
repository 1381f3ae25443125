import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, IdParams, Message } from '../scalars.ts'

const Category = z.enum(['threats', 'sentiment', 'intent', 'custom'])
const Word = z.string().trim().toLowerCase().min(1).max(29, 'A keyword must be shorter than 30 characters')
const Words = z.array(Word).max(2000).default([])
const FourArrays = z.object({ threats: Words, sentiment: Words, intent: Words, custom: Words })

/** Server keyword records by category: audio-workflow specification, sections 3 and 7. */
const Record = z.object({ id: Id, keyword: z.string() })
const Grouped = z.object({
  keywords: z.object({
    threats: z.array(Record),
    sentiment: z.array(Record),
    intent: z.array(Record),
    custom: z.array(Record),
  }),
})

export const keywords = {
  list: endpoint({
    method: 'GET',
    path: '/api/auth/keywords',
    access: 'user',
    summary: "The user's keywords by category",
    response: Grouped,
    errors: [],
  }),
  replace: endpoint({
    method: 'POST',
    path: '/api/auth/keywords',
    access: 'user',
    summary: 'Replace all keywords; the four arrays stand bare or under `keywords`',
    body: z.union([z.object({ keywords: FourArrays }), FourArrays.strict()]),
    response: Grouped,
    errors: [],
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/auth/keywords/category/:category',
    access: 'user',
    summary: 'Add one keyword to a category',
    params: z.object({ category: Category }),
    body: z.object({ keyword: Word }),
    response: z.object({ keyword: Record.extend({ category: Category }) }),
    status: 201,
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
    params: z.object({ category: Category }),
    response: Message,
    errors: [],
  }),
}
