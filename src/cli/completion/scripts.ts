/** The shell completion scripts. They call `upkeep complete`, so that all knowledge of commands and flags stays in the program. */
import type { Shell } from '../flags.ts';

/**
 * The scripts by shell. Each line of `complete` is a candidate, optionally with a tab and a description. Without candidates, files are
 * offered.
 */
export const SCRIPTS: { readonly [shell in Shell]: string } = {
  bash: `# upkeep completion for bash: source <(upkeep completion bash)
_upkeep() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("$(printf '%q' "\${line%%$'\\t'*}")")
  done < <("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -F _upkeep upkeep
`,
  zsh: `#compdef upkeep
# upkeep completion for zsh: source <(upkeep completion zsh), after compinit
_upkeep() {
  local line
  local -a candidates shown
  while IFS= read -r line; do
    candidates+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  }")
  done < <("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then
    compadd -l -d shown -a candidates
  else
    _files
  fi
}
compdef _upkeep upkeep
`,
  fish: `# upkeep completion for fish: upkeep completion fish | source
function __upkeep_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l found ($before[1] complete -- $before[2..-1] "$current" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c upkeep -f -a '(__upkeep_complete)'
`,
};
