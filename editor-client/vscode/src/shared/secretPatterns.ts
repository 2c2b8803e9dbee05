/** Written by scripts/write_redaction.py: what the server takes for a secret. */

export const SECRET_PATTERNS: readonly (readonly [source: string, flags: string])[] = [
  ["\\b(?:sk|pk|rk|gsk|xai|hf|npm|pypi|ghp|gho|ghs|ghu|github_pat|glpat|xox[abprs]|AKIA|AIza)[-_A-Za-z0-9]{12,}", "gi"],
  ["\\beyJ[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*)?", "g"],
  ["\\bbearer\\s+[\\w.~+/=-]{8,}", "gi"],
  ["\\bauthorization\\\\*[\\\"']?\\s*[:=]\\s*\\\\*[\\\"']?basic\\s+[\\w+/=-]{8,}", "gi"],
  ["(?<=[\\\"'\\s?&;,{(\\[])[\\w-]{0,64}(?:api[_-]?key|secret|token|passw(?:or)?d|authorization)[\\w-]{0,64}\\\\*[\\\"']?\\s*[:=：]\\s*\\\\*[\\\"']?[^\\s\\\"'&,;}\\\\]{4,}", "gi"],
  ["(?<=://)[^\\s/@:]+:[^\\s/@]+(?=@)", "g"],
  ["-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|(?![\\s\\S]))", "gs"],
];
