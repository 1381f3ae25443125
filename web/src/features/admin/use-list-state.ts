import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'

const typingMs = 250

/** Search text and page of a list; a new search begins at page 1, and asks once typing pauses. */
export function useListState() {
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(1)
  const [search] = useDebouncedValue(typed, typingMs)
  return {
    typed,
    search,
    page,
    setPage,
    setTyped(text: string) {
      setTyped(text)
      setPage(1)
    },
  }
}
