/** The shells that have a script. */
export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** How each shell is told of its script, as people type it. */
export const installations: Record<Shell, string> = {
  bash: 'licet completion bash > ~/.local/share/bash-completion/completions/licet',
  zsh: 'licet completion zsh > "$fpath[1]/_licet"',
  fish: 'licet completion fish > ~/.config/fish/completions/licet.fish',
}

const bash = `# Completion of licet for bash. Install: ${installations.bash}
# or, for this shell alone: source <(licet completion bash)
_licet() {
  local line paths
  COMPREPLY=()
  {
    IFS= read -r paths
    while IFS= read -r line; do COMPREPLY+=("$line"); done
  } < <(command licet completion --words bash "@{COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
  if [[ @{#COMPREPLY[@]} -eq 0 ]]; then
    case $paths in
      files) compopt -o default ;;
      directories) compopt -o dirnames ;;
    esac
  elif [[ @{#COMPREPLY[@]} -eq 1 && @{COMPREPLY[0]} == *[:/=.] ]]; then
    compopt -o nospace
  fi 2>/dev/null
}
complete -F _licet licet
`

const zsh = String.raw`#compdef licet
# Completion of licet for zsh. Install: ${installations.zsh}
# or, for this shell alone: source <(licet completion zsh)
_licet() {
  local -a lines ended open ended_shown open_shown
  local line value shown paths
  lines=("@{(@f)$(command licet completion --words zsh -- "@{(@Q)words[2,CURRENT-1]}" "@{(Q)PREFIX}" 2>/dev/null)}")
  paths=$lines[1]
  for line in "@{(@)lines[2,-1]}"; do
    value=@{line%%$'\t'*}
    shown=@{line/$'\t'/  -- }
    if [[ $value == *[:/=.] ]]; then
      open+=("$value")
      open_shown+=("$shown")
    else
      ended+=("$value")
      ended_shown+=("$shown")
    fi
  done
  (( $#open )) && compadd -l -S '' -d open_shown -a -- open
  (( $#ended )) && compadd -l -d ended_shown -a -- ended
  case $paths in
    files) _files ;;
    directories) _files -/ ;;
  esac
}
if [[ $funcstack[1] == _licet ]]; then
  _licet "$@"
elif (( $+functions[compdef] )); then
  compdef _licet licet
else
  autoload -Uz compinit && compinit && compdef _licet licet
fi
`

const fish = String.raw`# Completion of licet for fish. Install: ${installations.fish}
# or, for this shell alone: licet completion fish | source
function __licet_complete
    set -l before (commandline -opc)
    set -e before[1]
    set -l typed (commandline -ct)
    set -l current (string unescape -- "$typed" 2>/dev/null; or echo -- "$typed")
    set -l lines (command licet completion --words fish -- $before "$current" 2>/dev/null)
    test (count $lines) -gt 1; and printf '%s\n' $lines[2..-1]
    switch "$lines[1]"
        case files
            __fish_complete_path "$typed"
        case directories
            __fish_complete_directories "$typed" ''
    end
end
complete -c licet -e
complete -c licet -f -a '(__licet_complete)'
`

/** The script that teaches a shell to complete licet. */
export const completionScripts: Record<Shell, string> = { bash: expansions(bash), zsh: expansions(zsh), fish }

/** A shell's `${`, which would be an expansion of this file, is written `@{` here. */
function expansions(script: string): string {
  return script.replaceAll('@{', '${')
}
