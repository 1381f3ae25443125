/** What no speech contains: chat format tokens, code, tables, broken bytes. */
const patterns = [
  /<\|[^|>\n]{0,40}\|?>|<｜[^｜>\n]{0,40}｜>/u,
  /<\/?(?:s|unk|pad|eos|bos|mask|start_of_turn|end_of_turn|start_of_image|end_of_text|unused\d+|turn|2\p{L}{2,3}|br|p|b|i|u|em|strong|div|span|html|body|code|pre|ul|li|ol|table|tr|td|h\d|a|img|translation|target|source|text|answer|output|response|result|tool_call|english|pashto|urdu|persian|arabic)\b[^>\n]{0,80}\/?>/iu,
  /<0x[0-9a-f]{2}>/iu,
  /\[\/?(?:INST|SYS|UNK|PAD|CLS|SEP|MASK|BOS|EOS|TRANSLATION|END|TEXT|OUTPUT)\]|<<\/?SYS>>/iu,
  /\*\*[^*\n]+\*\*|__[^_\n]+__|(?:^|\s)\*[^*\n]+\*(?:\s|$)/u,
  /^\s{0,3}#{1,6}\s/mu,
  /```|~~~/u,
  /^\s*[{[]\s*"[^"\n]+"\s*[:,\]]/u,
  /"(?:translation|text|target|output|translated_text|result)"\s*:/iu,
  /^\s*\|.*\|\s*$|^(?=[^\n]*---)(?:[-:|]|[^\S\n])+$/mu,
  /\]\(https?:|!\[[^\]]*\]\(/u,
  /&(?:nbsp|lt|gt|amp|quot|#\d+|#x[0-9a-f]+);/iu,
  /\\u[0-9a-f]{4}|\\n|\\text\{|\\[a-z]+\{|\$\$/iu,
  /\uFFFD|▁|Ġ|Ċ/u,
  /^\s*(?:[-*•]|\d{1,2}[.)])\s+\S/u,
  /^\s*>\s/mu,
  /\{\{|\}\}|\$\{|%s\b/u,
  /(?![\n\r\t])\p{Cc}/u,
  /[ÃÂØÙÚÛ][\u0080-\u00BF]{1}[ÃÂØÙÚÛ][\u0080-\u00BF]/u,
]

/** Whether a completion contains markup that its text does not. */
export function hasForeignMarkup(completion: string, text: string): boolean {
  return patterns.some((pattern) => pattern.test(completion) && !pattern.test(text))
}
