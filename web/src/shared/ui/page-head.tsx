import { createContext, use, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

/**
 * The slot in the app's header for the head of a page that fills the screen: undefined without a header, null until the header is
 * rendered.
 */
export const PageHeadContext = createContext<HTMLElement | null | undefined>(undefined)

/** Renders the head of a page into the app's header, or in place if there is no header. */
export function PageHead({ children }: { children: ReactNode }) {
  const place = use(PageHeadContext)
  if (place === undefined) return children
  return place && createPortal(children, place)
}
