"""`pokersvc completion`: the scripts with which bash, zsh and fish ask for completions.

A script runs the program with `_POKERSVC_COMPLETE` set and the words so far, one per line, in `_POKERSVC_WORDS`. The
answer has a line for each candidate: its value and, after a tab, its description; or the line ``FILES``, which has the
shell complete a path. The program answers quickly, writes nothing and reports no error: if nothing can be read, nothing
is offered.
"""

from typing import Annotated, Final

import typer

from pokersvc.errors import InvalidValue

_BASH: Final = """\
_pokersvc() {
    local line value
    local -a values=() lines=()
    local words
    words=$(IFS=$'\\n'; printf '%s.' "${COMP_WORDS[*]:0:COMP_CWORD+1}")
    while IFS= read -r line; do
        if [[ $line == FILES ]]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r value; do values+=("$value"); done < <(compgen -f -- "$2")
        else
            values+=("${line%%$'\\t'*}")
            lines+=("${line/$'\\t'/  -- }")
        fi
    done < <(_POKERSVC_COMPLETE=bash _POKERSVC_WORDS="${words%.}" "$1" 2>/dev/null)
    if [[ $COMP_TYPE == 63 && ${#lines[@]} -gt 1 ]]; then
        COMPREPLY=("${lines[@]}")
    else
        COMPREPLY=("${values[@]}")
    fi
}
complete -F _pokersvc pokersvc
"""
_ZSH: Final = """\
#compdef pokersvc
_pokersvc() {
    local line
    local -a offered
    while IFS= read -r line; do
        if [[ $line == FILES ]]; then
            _files
        else
            offered+=("${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}")
        fi
    done < <(_POKERSVC_COMPLETE=zsh _POKERSVC_WORDS="${(F)words[1,CURRENT]}" $words[1] 2>/dev/null)
    (( $#offered )) && _describe -V pokersvc offered
}
compdef _pokersvc pokersvc
"""
_FISH: Final = """\
function __pokersvc_offered
    set -lx _POKERSVC_COMPLETE fish
    set -lx _POKERSVC_WORDS "$(string join \\n -- (commandline -opc))"\\n"$(commandline -ct)"
    for line in (command pokersvc 2>/dev/null)
        if test "$line" = FILES
            __fish_complete_path (commandline -ct)
        else
            printf '%s\\n' $line
        end
    end
end
complete -c pokersvc -f -k -a '(__pokersvc_offered)'
"""
SCRIPTS: Final = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def completion(
    shell: Annotated[str, typer.Argument(metavar="bash|zsh|fish", help="Your shell.")],
) -> None:
    """Print the script that completes commands, options and games.

    Bash and zsh read it with `eval "$(pokersvc completion bash)"` in
    ~/.bashrc (or zsh in ~/.zshrc, after compinit); fish as
    ~/.config/fish/completions/pokersvc.fish.

    Example: pokersvc completion bash
    """
    if shell not in SCRIPTS:
        raise InvalidValue(f"{shell!r} is not a shell with completions; it must be bash, zsh or fish.")
    print(SCRIPTS[shell], end="")
