// Re-exports jotai; import it only from here.
export { atom, Provider as AtomProvider, useAtom, useAtomValue, useSetAtom } from 'jotai'
export { atomWithStorage } from 'jotai/utils'
export type { Atom } from 'jotai'
