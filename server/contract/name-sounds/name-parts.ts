import { foldKeyword } from '../keywords/fold.ts'

/** Parts of names that are written either joined to the other part or separately: Ahmad Shah, احمدشاه. As folded words. */
const parts = new Set(
  `abd abdul abdal abdel abdol abdur abdus abad agha ahmad ahmed ali allah amir bakhsh beg bibi bin bint din dost ghulam gholam gul gol haji
   jan khan khel khwaja lal malik mir mirza mohammad mohammed muhammad nader nadir nejad nezhad noor nur pur rahman sayed shah stan sultan
   ullah yar zada zadeh zaher zahir zai
   عبد آباد آغا احمد علی الله اللہ الدین امیر بخش بیگ بن بنت دین دوست غلام گل ګل حاجی جان خان خیل خواجه لعل ملک میر میرزا محمد نادر نژاد نور پور
   الرحمن رحمان رحمن سید شاه شاہ ستان سلطان یار زاده زادہ ظاهر زی زئی بولدک`
    .split(/\s+/u)
    .map((part) => foldKeyword(part)),
)
const joiner = /^[-\u2010\u2011'’‘ʼ]$/u

/** Returns whether two consecutive words may be one name, based on what is between them. */
export function mayBeOneName({ first, second, between }: { first: string; second: string; between: string }): boolean {
  if (joiner.test(between)) return true
  return between === ' ' && (parts.has(first) || parts.has(second))
}
