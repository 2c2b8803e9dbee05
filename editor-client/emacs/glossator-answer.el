;;; glossator-answer.el --- An answer while it arrives and when it is complete  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; What the server's events make of an answer, how it is written as Markdown, and its buffer.

;;; Code:

(require 'button)
(require 'cl-lib)
(require 'json)
(require 'subr-x)
(require 'glossator-server)

;;;; Faces

(defface glossator-status '((t :inherit font-lock-comment-face))
  "Face of what stands around an answer."
  :group 'glossator)

(defface glossator-missing '((t :inherit error))
  "Face of the note on a place that does not exist."
  :group 'glossator)

(defface glossator-moved '((t :inherit warning))
  "Face of the note on a place that has moved."
  :group 'glossator)

(defface glossator-question '((t :inherit font-lock-function-name-face :weight bold))
  "Face of a question in the chat."
  :group 'glossator)

;;;; Answers

(cl-defstruct (glossator-answer (:constructor glossator--make-answer))
  "An answer while it arrives and when it is complete.
PIECES are texts and tools, the last one first.  REDRAW is called with the
answer when it has changed, ON-OVER once with the result, nil when it failed
or was stopped."
  title server token redraw on-over (status (glossator-say "Starting" "开始")) over (briefing "") pieces tools citations foot
  (summary "") (started (float-time)))

(cl-defstruct (glossator-tool (:constructor glossator--make-tool))
  "A tool call of the model; OUTCOME is nil while it runs."
  name arguments outcome is-error)

(defun glossator--say (answer english chinese)
  "Return ENGLISH or CHINESE, as the title of ANSWER or else the reader is."
  (if (or (glossator-chinese-p) (string-match-p "[\u4e00-\u9fff]" (glossator-answer-title answer)))
      chinese
    english))

(defun glossator--one-line (text limit)
  "Return TEXT on one line of at most LIMIT columns."
  (truncate-string-to-width
   (string-trim (replace-regexp-in-string "[ \t\r\n]+" " " text)) limit nil nil "…"))

(defun glossator--seconds (milliseconds)
  "Return MILLISECONDS as people write a duration."
  (cond ((not (numberp milliseconds)) "")
        ((< milliseconds 1000) (format "%d ms" milliseconds))
        (t (format "%.1f s" (/ milliseconds 1000.0)))))

(defun glossator--brief-arguments (text)
  "Return the values in TEXT, a JSON object, on one line."
  (let* ((values (condition-case nil
                     (json-parse-string text :object-type 'alist)
                   (error nil)))
         (shown (cl-loop for (_ . value) in values
                         when (or (numberp value) (and (stringp value) (not (equal value ""))))
                         collect (format "%s" value))))
    (glossator--one-line (if shown (string-join shown " ") text) 60)))

(defun glossator--add-tool (answer id name arguments)
  "Show in ANSWER the call ID of NAME with ARGUMENTS as running."
  (let ((tool (glossator--make-tool :name name :arguments arguments)))
    (push (cons id tool) (glossator-answer-tools answer))
    (push tool (glossator-answer-pieces answer))
    (setf (glossator-answer-status answer) name)))

(defun glossator-take-event (answer event)
  "Change ANSWER by EVENT.  Unknown events are passed over."
  (pcase (plist-get event :type)
    ("stepStarted"
     (setf (glossator-answer-status answer) (plist-get event :text)))
    ("briefingReady"
     (setf (glossator-answer-briefing answer) (plist-get event :markdown)))
    ("roundStarted"
     (setf (glossator-answer-status answer)
           (glossator--say answer "Waiting for the model" "等待模型")))
    ("waitingForModel"
     (setf (glossator-answer-status answer)
           (format (glossator--say answer "The model asks to wait %d s" "模型要求等待 %d 秒")
                   (plist-get event :seconds))))
    ("reasoningArrived"
     (setf (glossator-answer-status answer)
           (glossator--say answer "The model is thinking" "模型在思考")))
    ("textArrived"
     (setf (glossator-answer-status answer) (glossator--say answer "Answering" "正在回答"))
     (if (stringp (car (glossator-answer-pieces answer)))
         (setf (car (glossator-answer-pieces answer))
               (concat (car (glossator-answer-pieces answer)) (plist-get event :text)))
       (push (plist-get event :text) (glossator-answer-pieces answer))))
    ("toolStarted"
     ;; The plan and the helpers have events of their own.
     (unless (member (plist-get event :name) '("plan" "delegate"))
       (glossator--add-tool answer (plist-get event :callId) (plist-get event :name)
                            (glossator--brief-arguments (plist-get event :arguments)))))
    ("toolFinished"
     (when-let ((tool (cdr (assoc (plist-get event :callId) (glossator-answer-tools answer)))))
       (setf (glossator-tool-outcome tool)
             (format "%s (%s)" (glossator--one-line (plist-get event :summary) 80)
                     (glossator--seconds (plist-get event :durationMs)))
             (glossator-tool-is-error tool) (eq t (plist-get event :isError)))))
    ("skillActivated"
     (setf (glossator-answer-status answer)
           (format (glossator--say answer "Skill %s" "技能 %s") (plist-get event :name))))
    ("planChanged"
     (let ((steps (append (plist-get event :steps) nil)))
       (cl-loop for step in steps for number from 1
                when (equal (plist-get step :state) "active")
                do (setf (glossator-answer-status answer)
                         (format (glossator--say answer "Step %d of %d: %s"
                                                 "第 %d 步，共 %d 步：%s")
                                 number (length steps) (plist-get step :text))))))
    ("helperStarted"
     (glossator--add-tool answer (plist-get event :helperId) (plist-get event :helperId)
                          (glossator--one-line (plist-get event :task) 60)))
    ("helperActed"
     (let ((inner (plist-get event :event)))
       (when (equal (plist-get inner :type) "toolStarted")
         (setf (glossator-answer-status answer)
               (concat (plist-get event :helperId) ": " (plist-get inner :name))))))
    ("helperEnded"
     (when-let ((tool (cdr (assoc (plist-get event :helperId) (glossator-answer-tools answer)))))
       (setf (glossator-tool-outcome tool) (plist-get event :stopReason)
             (glossator-tool-is-error tool)
             (and (member (plist-get event :stopReason) '("failed" "cancelled")) t))))
    ("answerVerified"
     (setf (glossator-answer-status answer)
           (glossator--say answer "Reading the citations again" "核对引用")))))

(defun glossator--without-pictures (markdown)
  "Return MARKDOWN without the source of pictures."
  (string-trim (replace-regexp-in-string
                "^[ \t]*```mermaid\\(?:.\\|\n\\)*?\n[ \t]*```[ \t]*$" "" markdown)))

(defun glossator--list-sources (title sources markdown)
  "Return a list with TITLE of those SOURCES that MARKDOWN does not name, or nil."
  (let ((lines (cl-loop for source across (or sources [])
                        for place = (format "%s:%d" (plist-get source :path)
                                            (plist-get source :firstLine))
                        unless (string-search place markdown)
                        collect (format "- %s `%s`" (plist-get source :title) place))))
    (when lines
      (concat "**" title "**\n\n" (string-join lines "\n")))))

(defun glossator-complete (answer result)
  "Let ANSWER be complete with RESULT."
  (let* ((markdown (or (plist-get result :markdown) ""))
         (calls (cl-remove-if-not #'glossator-tool-p (glossator-answer-pieces answer)))
         (notice (plist-get result :notice))
         (usage (plist-get result :usage)))
    (setf (glossator-answer-over answer) t
          (glossator-answer-title answer)
          (or (plist-get result :title) (glossator-answer-title answer))
          (glossator-answer-citations answer) (append (plist-get result :citations) nil)
          (glossator-answer-pieces answer)
          (append calls (and calls (list (glossator--say answer "**Looked at**" "**查看过**")))
                  (list (glossator--without-pictures markdown)))
          (glossator-answer-foot answer)
          (delq nil
                (list (glossator--list-sources
                       (glossator--say answer "Nearest" "最接近的内容")
                       (plist-get (plist-get result :refused) :nearest) markdown)
                      (glossator--list-sources (glossator--say answer "Sources" "来源")
                                               (plist-get result :sources) markdown)
                      (glossator--list-doubtful
                       (append (plist-get result :citations) nil) markdown)
                      (and notice (not (equal notice "")) (concat "> " notice))))
          (glossator-answer-summary answer)
          (string-join
           (delq nil
                 (list (and (eq t (plist-get result :byModel))
                            (glossator--say answer "by the model" "由模型回答"))
                       (and usage (format "%d + %d tokens" (plist-get usage :promptTokens)
                                          (plist-get usage :completionTokens)))
                       (and usage (> (or (plist-get usage :cachedTokens) 0) 0)
                            (format (glossator--say answer "%d cached" "缓存 %d")
                                    (plist-get usage :cachedTokens)))
                       (glossator--count-places answer)
                       (glossator--seconds (* 1000 (- (float-time) (glossator-answer-started answer))))))
           " · "))))

(defun glossator--count-places (answer)
  "Return how many places ANSWER names, each once, and what came of them, or nil."
  (let* ((places (delete-dups
                  (mapcar (lambda (each)
                            (mapcar (lambda (key) (plist-get each key))
                                    '(:verdict :path :firstLine :lastLine)))
                          (glossator-answer-citations answer))))
         (count (lambda (verdict) (cl-count verdict places :key #'car :test #'equal))))
    (when places
      (format (glossator--say answer "%d places checked: %d exact, %d moved, %d missing"
                              "核对了 %d 处引用：%d 处准确，%d 处已移动，%d 处缺失")
              (length places) (funcall count "exact") (funcall count "moved")
              (funcall count "missing")))))

(defun glossator--list-doubtful (citations markdown)
  "Return a list of the CITATIONS that do not hold and are not in MARKDOWN."
  (let ((lines (cl-loop for citation in citations
                        for text = (plist-get citation :text)
                        unless (or (equal (plist-get citation :verdict) "exact")
                                   (string-search text markdown))
                        collect (concat "- " text))))
    (and lines (string-join lines "\n"))))

(defun glossator--render-tool (tool)
  "Return the line for TOOL."
  (concat "- " (cond ((null (glossator-tool-outcome tool)) "…")
                     ((glossator-tool-is-error tool) "✗")
                     (t "✓"))
          " `" (glossator-tool-name tool) "` " (glossator-tool-arguments tool)
          (and (glossator-tool-outcome tool) (concat " — " (glossator-tool-outcome tool)))))

(defun glossator-render (answer)
  "Return ANSWER as Markdown."
  (let* ((pieces (reverse (glossator-answer-pieces answer)))
         (text (string-join
                (cl-loop for (piece . more) on pieces
                         for is-tool = (glossator-tool-p piece)
                         collect (if is-tool (glossator--render-tool piece) (string-trim piece))
                         when more
                         collect (if (and is-tool (glossator-tool-p (car more))) "\n" "\n\n"))))
         ;; The facts are there long before a slow model's first word.
         (briefing (and (not (cl-some #'stringp pieces))
                        (not (string-empty-p (glossator-answer-briefing answer)))
                        (glossator--without-pictures (glossator-answer-briefing answer)))))
    (string-join (cl-remove-if #'string-empty-p
                               `(,(or briefing "") ,text ,@(glossator-answer-foot answer)))
                 "\n\n")))

;;;; Running

(defvar glossator-running nil
  "The answer that is arriving, or nil.")

(defvar glossator--timer nil
  "Runs when the running answer is to be drawn.")

(defun glossator--redraw (answer)
  "Let ANSWER be drawn where it is shown."
  (when (glossator-answer-redraw answer)
    (funcall (glossator-answer-redraw answer) answer)))

(defun glossator--redraw-soon ()
  "Draw the running answer soon.  A model may send hundreds of pieces a second."
  (unless glossator--timer
    (setq glossator--timer
          (run-at-time 0.05 nil (lambda ()
                                  (setq glossator--timer nil)
                                  ;; It may be another one by then than when this was planned.
                                  (when glossator-running
                                    (glossator--redraw glossator-running)
                                    (force-mode-line-update t)))))))

(defun glossator-mode-line ()
  "Return the text for the mode line on the running answer."
  (if glossator-running
      (format " [Glossator: %s… %d s]"
              (glossator--one-line (glossator-answer-status glossator-running) 40)
              (- (float-time) (glossator-answer-started glossator-running)))
    ""))

(defun glossator--finish (answer &optional result)
  "ANSWER is over, with RESULT if it is complete: draw it."
  (when (eq answer glossator-running)
    (setq glossator-running nil))
  (when-let ((on-over (glossator-answer-on-over answer)))
    (setf (glossator-answer-on-over answer) nil)
    (funcall on-over result))
  (glossator--redraw answer)
  (force-mode-line-update t))

(defun glossator-fail (answer text)
  "Let ANSWER be over for the reason TEXT.  What has arrived stays."
  (setf (glossator-answer-over answer) t
        (glossator-answer-foot answer)
        (list (concat (glossator--say answer "**Not answered:** " "**没有回答：**") text)))
  (glossator--finish answer))

(defun glossator-fail-running (server text)
  "SERVER has ended: the answer that it owes fails with TEXT."
  (when (and glossator-running (eq server (glossator-answer-server glossator-running)))
    (glossator-fail glossator-running text)))

(defun glossator-run (answer command argument)
  "Run COMMAND with ARGUMENT on the server of ANSWER, and put what comes into it.
What ran before is stopped."
  (glossator-stop-running)
  (setq glossator-running answer)
  (setf (glossator-answer-token answer)
        (glossator-execute
         (glossator-answer-server answer) command argument
         (lambda (result)
           (unless (glossator-answer-over answer)
             (glossator-complete answer result)
             (glossator--finish answer result)))
         (lambda (text)
           (unless (glossator-answer-over answer)
             (glossator-fail answer text)))
         (lambda (event)
           (unless (glossator-answer-over answer)
             (glossator-take-event answer event)
             (glossator--redraw-soon))))))

(defun glossator-stop-running ()
  "Stop the answer that is arriving; nil when there is none."
  (when-let ((answer glossator-running))
    (setf (glossator-answer-over answer) t
          (glossator-answer-foot answer)
          (list (glossator--say answer "**Stopped.**" "**已停止。**")))
    (glossator-cancel (glossator-answer-server answer) (glossator-answer-token answer))
    (glossator--finish answer)
    t))

;;;; The buffer

(defvar glossator-answer-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map (make-composed-keymap button-buffer-map special-mode-map))
    (define-key map "a" 'glossator-ask)
    (define-key map "c" 'glossator-chat)
    (define-key map "s" 'glossator-stop)
    (define-key map (kbd "C-c C-c") 'glossator-stop)
    map)
  "Keys of the buffer with an answer.")

(defvar glossator-answer-font-lock-keywords
  '(("^#+ .*$" . 'font-lock-function-name-face)
    ("^>.*$" . 'font-lock-comment-face)
    ("\\*\\*[^*\n]+\\*\\*" . 'bold)
    ("`[^`\n]+`" . 'font-lock-constant-face)
    ("^\\(?:-\\|[0-9]+\\.\\) " . 'font-lock-keyword-face)))


(defvar-local glossator--shown nil
  "The answer that this buffer shows.")

(define-derived-mode glossator-answer-mode special-mode "Glossator"
  "Major mode of the buffer with Glossator's answer.
\\{glossator-answer-mode-map}"
  (setq-local font-lock-defaults '(glossator-answer-font-lock-keywords t))
  (setq-local truncate-lines nil)
  (setq-local revert-buffer-function (lambda (&rest _) (glossator--draw glossator--shown)))
  (setq-local header-line-format '(:eval (glossator--header)))
  (visual-line-mode 1))

(defun glossator--header ()
  "Return what stands above the answer."
  (when-let ((answer glossator--shown))
    (concat " " (propertize (string-replace "`" "" (glossator-answer-title answer)) 'face 'bold)
            (propertize
             (if (glossator-answer-over answer)
                 ;; The keys before the figures: a window may be too narrow for both.
                 (format (glossator-say "  TAB next place  RET open  a ask  c chat  q close  %s"
                                        "  TAB 下一处  RET 打开  a 追问  c 聊天  q 关闭  %s")
                         (glossator-answer-summary answer))
               (format (glossator-say "  %s…  s stop  q close" "  %s…  s 停止  q 关闭")
                       (glossator-answer-status answer)))
             'face 'glossator-status))))

(defconst glossator--place-regexp
  "\\([^][ \t\n`'\"()<>|,;:，。；：（）、“”]+\\):\\([0-9]+\\)"
  "Matches `path:line', also in Chinese prose, which has no space before a path.")

(defun glossator--find-file (path roots)
  "Return the existing file below one of ROOTS that PATH ends with.
Its value is (FILE . N): N characters of PATH stand before the file."
  (let ((start 0) found)
    (while (and (not found) (< start (length path)))
      (let ((rest (substring path start)))
        (setq found
              (cl-loop for root in roots
                       for file = (expand-file-name rest root)
                       when (file-regular-p file) return (cons file start)))
        ;; Only letters that stand right before a path in Chinese prose are passed over.
        (if (< (aref path start) 128)
            (setq start (length path))
          (setq start (1+ start)))))
    found))

(defun glossator--open-place (button)
  "Open the place of BUTTON beside the answer."
  (let ((file (button-get button 'glossator-file))
        (line (button-get button 'glossator-line)))
    (if (not (and file (file-regular-p file)))
        (glossator-tell (glossator-say "that place does not exist" "该位置不存在"))
      (pop-to-buffer (find-file-noselect file))
      (push-mark nil t)
      (save-restriction
        (widen)
        (goto-char (point-min))
        (forward-line (1- line)))
      (recenter))))

(define-button-type 'glossator-place
  'action #'glossator--open-place
  'follow-link t)

(defun glossator-add-buttons (answer start)
  "Make buttons of the places that ANSWER names from START on; mark wrong ones."
  (let ((verdicts (make-hash-table :test 'equal))
        (roots (ignore-errors (glossator-roots (glossator-answer-server answer)))))
    (dolist (citation (glossator-answer-citations answer))
      (puthash (plist-get citation :text) citation verdicts))
    (goto-char start)
    (while (re-search-forward glossator--place-regexp nil t)
      (let* ((path (match-string-no-properties 1))
             (line (string-to-number (match-string 2)))
             (first (match-beginning 0))
             (last (match-end 0))
             (citation (glossator--citation-at first verdicts))
             (uri (plist-get citation :uri))
             (found (if uri
                        (cons (glossator-uri-to-file uri) 0)
                      (glossator--find-file path roots))))
        (when found
          (make-text-button (+ first (cdr found)) last 'type 'glossator-place
                            'glossator-file (car found)
                            'glossator-line (or (plist-get citation :firstLine) line)
                            'help-echo (glossator--describe-place answer citation)))
        (glossator--add-note answer citation last)))))

(defun glossator--describe-place (answer citation)
  "Return what a reader of ANSWER is told about CITATION, which may be nil."
  (concat (glossator--say answer "RET: open this place" "RET：打开此位置")
          (pcase (plist-get citation :verdict)
            ("exact" (glossator--say answer " (exact)" "（准确）"))
            ("moved" (glossator--say answer " (moved)" "（已移动）"))
            (_ ""))))

(defun glossator--citation-at (position verdicts)
  "Return the citation in VERDICTS whose text stands at POSITION, the longest one."
  (let (found)
    (maphash (lambda (text citation)
               (when (and (> (length text) (length (plist-get found :text)))
                          (<= (+ position (length text)) (point-max))
                          (equal text (buffer-substring-no-properties
                                       position (+ position (length text)))))
                 (setq found citation)))
             verdicts)
    found))

(defun glossator--add-note (answer citation position)
  "Show at POSITION what is wrong with CITATION in ANSWER, if anything is."
  (when-let ((name (pcase (plist-get citation :verdict)
                     ("moved" (glossator--say answer "moved" "已移动"))
                     ("missing" (glossator--say answer "missing" "缺失")))))
    (let* ((overlay (make-overlay position position))
           (is-moved (equal (plist-get citation :verdict) "moved"))
           (reason (or (plist-get citation :reason) ""))
           (note (if (equal reason "") name (concat name ": " reason))))
      (overlay-put overlay 'after-string
                   (propertize (format " (%s)" note) 'face
                               (if is-moved 'glossator-moved 'glossator-missing))))))


(defun glossator-replace-text (start text)
  "Put TEXT from START to the end of the accessible buffer.
Only what differs is replaced, so that points and windows keep their place."
  (let* ((inhibit-read-only t)
         (old (buffer-substring-no-properties start (point-max)))
         (same (compare-strings old nil nil text nil nil))
         (n-same (if (eq same t) (length old) (1- (abs same)))))
    (unless (eq same t)
      (save-excursion
        (goto-char (+ start n-same))
        (delete-region (point) (point-max))
        (insert (substring text n-same))))))

(defun glossator--draw (answer)
  "Draw ANSWER, unless the buffer for answers has another."
  (when-let ((buffer (get-buffer "*glossator*")))
    (with-current-buffer buffer
      (when (eq answer glossator--shown)
        (let ((inhibit-read-only t))
          (glossator-replace-text (point-min) (concat (glossator-render answer) "\n"))
          ;; Looking for files on every piece of text would be slow.
          (when (glossator-answer-over answer)
            (delete-all-overlays)
            (save-excursion (glossator-add-buttons answer (point-min)))))
        (set-buffer-modified-p nil)
        (force-mode-line-update)
        (when (and (glossator-answer-over answer) (not (get-buffer-window buffer t)))
          (glossator-tell (glossator-say "the answer is in *glossator*"
                                         "回答在 *glossator* 缓冲区中")))))))

(defun glossator-show (answer)
  "Show ANSWER in the buffer for it."
  (setf (glossator-answer-redraw answer) #'glossator--draw)
  (with-current-buffer (get-buffer-create "*glossator*")
    (unless (derived-mode-p 'glossator-answer-mode)
      (glossator-answer-mode))
    (setq glossator--shown answer
          glossator-buffer-server (glossator-answer-server answer))
    (let ((inhibit-read-only t))
      (erase-buffer)
      (delete-all-overlays))
    (display-buffer (current-buffer))
    (glossator--draw answer)
    (goto-char (point-min))
    (dolist (window (get-buffer-window-list nil nil t))
      (set-window-point window (point-min)))))

(defun glossator-show-command (server command argument title)
  "Show the answer of COMMAND with ARGUMENT on SERVER under TITLE."
  (glossator-stop-running)
  (let ((answer (glossator--make-answer :title title :server server)))
    (glossator-show answer)
    (glossator-run answer command argument)))

(defun glossator-title-of-action (command)
  "Return the title for the answer of COMMAND of a code action, or nil."
  (pcase command
    ("glossator.explain" (glossator-say "Explain" "解释"))
    ("glossator.callChain" (glossator-say "Call chain" "调用链"))
    ("glossator.explainProblem" (glossator-say "Explain this problem" "解释此问题"))))

(defun glossator-show-text (title markdown server)
  "Show MARKDOWN of SERVER under TITLE in the buffer of answers."
  (let ((answer (glossator--make-answer :title title :server server)))
    (glossator-stop-running)
    (glossator-complete answer (list :markdown markdown))
    (setf (glossator-answer-summary answer) "")
    (glossator-show answer)))

(provide 'glossator-answer)
;;; glossator-answer.el ends here
