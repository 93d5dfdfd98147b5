"""Asking: judges that put rules and passages to a model, and believe nothing that they cannot check.

Belongs here: the must-cite contract, prompts, the reading and checking of answers, the cache of answers, the judges
`openai` (any server with an OpenAI-compatible API) and `llama` (a GGUF file in this process). Does not belong here:
when a request is sent (`judging.scheduling`), the live checks that every verdict goes through (`verification`).

What goes on, in order::

    cases      a rule with its passages: what a judge is asked
    prompts    several cases as one request; passages are fenced as data
    contract   what an answer must hold, as a record and as a JSON schema
    answers    text of an answer -> items, cut or dressed up as it may be; nothing is made up
    checking   items -> sound answers, and the rules to ask again with the reason
    opinion    a sound answer beside the typed predicates: where they disagree, a person decides
    kept       answers by all that made them: unchanged passages mean no call
    judges     which judge the parameters name; nothing is asked without a model being named

Import the modules themselves: this package imports none, so that a run without a model loads nothing of it.
"""
