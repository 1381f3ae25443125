import { useLocation, useNavigationType } from 'react-router-dom'
import { atom, useAtom } from '../../shared/jotai.ts'

/** The result that was opened last, and the address of the search that found it. */
const openedResultAtom = atom<{ address: string; key: string } | null>(null)

/** Returns the result that the reader comes back from, null for any other visit, and what remembers one. */
export function useOpenedResult() {
  const { search } = useLocation()
  const isBack = useNavigationType() === 'POP'
  const [opened, setOpened] = useAtom(openedResultAtom)
  return {
    returnedTo: isBack && opened?.address === search ? opened.key : null,
    rememberOpened: (key: string) => setOpened({ address: search, key }),
  }
}
