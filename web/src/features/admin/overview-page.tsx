import { ConsolePage } from './console-page.tsx'

export function OverviewPage() {
  return <ConsolePage title="Overview">{null}</ConsolePage>
}
