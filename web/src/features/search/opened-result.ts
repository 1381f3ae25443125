import { useLocation, useNavigationType } from 'react-router-dom'
import { atom, useAtom } from '../../shared/jotai.ts'

/** The result last opened, and the address of the search that found it. */
const openedResultAtom = atom<{ address: string; key: string } | null>(null)

/** Returns the result that the user returns from, null on any other visit, and a function that remembers a result. */
export function useOpenedResult() {
  const { search } = useLocation()
  const isBack = useNavigationType() === 'POP'
  const [opened, setOpened] = useAtom(openedResultAtom)
  return {
    returnedTo: isBack && opened?.address === search ? opened.key : null,
    rememberOpened: (key: string) => setOpened({ address: search, key }),
  }
}
