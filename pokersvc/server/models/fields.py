"""Fields that requests and answers share, and the bases of their models."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from pokersvc.core.names import readable
from pokersvc.core.seats import MAX_NAME, check_name
from pokersvc.server.tokens import TOKEN

Name = Annotated[
    str,
    Field(min_length=1, max_length=MAX_NAME, pattern=r"^\S(?:[^\x00-\x1f]*\S)?$"),
    AfterValidator(check_name),
    AfterValidator(readable),
]
Token = Annotated[str, Field(pattern=TOKEN)]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Signature = Annotated[str, Field(pattern=r"^[0-9a-f]{128}$")]
CommandId = Annotated[
    str, Field(pattern=r"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$")
]


class Body(BaseModel):
    """The base of request bodies: unknown fields are refused, and no value is converted."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Answer(BaseModel):
    """The base of answers."""
