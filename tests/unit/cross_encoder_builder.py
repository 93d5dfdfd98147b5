"""A real cross-encoder of a few thousand weights, written to a folder. A builder for tests; holds no test."""

from __future__ import annotations

from pathlib import Path

TEXTS = (
    "the bidder shall hold a bid security of two percent of the total price valid for ninety days",
    "our company was founded and has offices in many towns with engineers and works programme",
    "the warranty lasts twenty four months from acceptance of the works on site and covers parts",
    "staff are trained each year and the certificate of quality management is renewed",
)


def tiny_cross_encoder(folder: Path, seed: int = 0, outputs: int = 1) -> Path:
    """A folder with a BERT of two layers, random weights and a word-piece tokenizer of its own."""
    import torch
    from tokenizers import BertWordPieceTokenizer
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    folder.mkdir(parents=True, exist_ok=True)
    words = BertWordPieceTokenizer(lowercase=True)
    words.train_from_iterator(TEXTS, vocab_size=400, min_frequency=1, show_progress=False)
    words.save(str(folder / "words.json"))
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_file=str(folder / "words.json"), model_max_length=128, unk_token="[UNK]", sep_token="[SEP]",
        pad_token="[PAD]", cls_token="[CLS]", mask_token="[MASK]",
    )  # fmt: skip
    (folder / "words.json").unlink()
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
        max_position_embeddings=128, num_labels=outputs, initializer_range=0.4,
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
