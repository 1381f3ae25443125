import { useSearchParams } from 'react-router-dom'
import { CaseList } from './case-list.tsx'
import { CaseView } from './case-view.tsx'

/** All cases, or the one that the address names. */
export function CasesPage() {
  const [search] = useSearchParams()
  const id = search.get('case')
  return id ? <CaseView key={id} id={id} /> : <CaseList />
}
